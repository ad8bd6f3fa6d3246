/// A way to a provider: Apple's, Google's, a webhook, or a log.
public protocol PushTransport: Sendable {
  /// Whether nothing that is handed over leaves the process: only such a transport is used in a
  /// simulation.
  var staysInProcess: Bool { get }

  /// Where it notes what leaves, so that it is known after a kill; nothing where it does not.
  var journal: PushJournal? { get }

  /// What processes that are dead by now have noted of pushes on this host.
  var remains: [JournalRemains] { get }

  /// Hands pushes over, and says of each, in the same order, what became of it.
  ///
  /// Whoever calls has committed that they are being sent: a transport that dies in here leaves pushes
  /// that count as sent. Each part of a run calls from a thread of its own.
  func send(_ pushes: [PushMessage]) -> [Delivery]
}

extension PushTransport {
  public var staysInProcess: Bool { false }
  public var journal: PushJournal? { nil }
  public var remains: [JournalRemains] { [] }
}
