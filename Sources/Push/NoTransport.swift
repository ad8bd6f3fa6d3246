/// Takes every push and sends none: what stands in a transport's place in a simulation.
public struct NoTransport: PushTransport {
  public let staysInProcess = true

  public init() {}

  public func send(_ pushes: [PushMessage]) -> [Delivery] {
    pushes.map { _ in .sent }
  }
}
