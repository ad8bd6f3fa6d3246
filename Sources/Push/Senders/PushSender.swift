/// What brings pushes to one provider, each for itself.
public protocol PushSender: Sendable {
  /// How many of `wanted` pushes may be sent at `now`.
  func leave(_ wanted: Int, at now: ContinuousClock.Instant) -> Care.Leave

  /// Begins to send a push that may leave; `done` is called once, with what became of it, on whatever thread.
  func send(_ push: PushMessage, then done: @escaping @Sendable (Delivery) -> Void)
}

/// A provider as devices have one: that of apps from a workshop is another.
public struct PushPlace: Sendable, Hashable {
  public let provider: PushProvider
  public let isSandbox: Bool

  public init(_ provider: PushProvider, isSandbox: Bool = false) {
    (self.provider, self.isSandbox) = (provider, isSandbox)
  }
}

extension PushPlace: CustomStringConvertible {
  public var description: String {
    isSandbox ? "the sandbox of \(provider.rawValue)" : provider.rawValue
  }
}
