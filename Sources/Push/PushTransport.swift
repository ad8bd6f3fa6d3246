/// A way to a provider: Apple's, Google's, a webhook, or a log.
public protocol PushTransport: Sendable {
  /// Whether nothing that is sent leaves the process: only such a transport is used in a
  /// simulation.
  var staysInProcess: Bool { get }

  /// Where it notes what leaves, so that it is known after a kill; nothing where it does not.
  var journal: PushJournal? { get }

  /// What processes that are dead by now have noted of pushes on this host.
  var remains: [JournalRemains] { get }

  /// Sends pushes, and says of each, in the same order, what became of it.
  ///
  /// Whoever calls has committed that they are being sent: a transport that dies in here leaves pushes
  /// that count as sent. Each part of a run calls from a thread of its own.
  func send(_ pushes: [PushMessage]) -> [Delivery]

  /// How many windows of pushes a part of a run may have on their way at once: while providers think about some,
  /// it claims and sends others.
  var windows: Int { get }

  /// Sends pushes without waiting for what becomes of them: that is what the answer waits for.
  func begin(_ pushes: [PushMessage]) -> () -> [Delivery]
}

extension PushTransport {
  public var staysInProcess: Bool { false }
  public var journal: PushJournal? { nil }
  public var remains: [JournalRemains] { [] }
  public var windows: Int { 1 }

  public func begin(_ pushes: [PushMessage]) -> () -> [Delivery] {
    let deliveries = send(pushes)
    return { deliveries }
  }
}
