#if DEBUG
  package import Dispatch
  internal import Synchronization

  /// How long any loop of a rehearsal sleeps at most.
  ///
  /// The clock of a rehearsal may be turned by hand, in the database: then no timer of this host tells
  /// when the next moment comes. A release build has nothing of it.
  public enum RehearsalPace {
    private static let longest = Mutex<Duration?>(nil)

    /// Keeps the pace that a rehearsal asks for; elsewhere nothing.
    public static func keep(_ duration: Duration) {
      longest.withLock { $0 = duration }
    }

    /// Whether the clock is turned in the database: by functions that stand before PostgreSQL's own.
    package static var isKept: Bool { longest.withLock { $0 != nil } }

    /// A wait, or the pace where that is shorter.
    package static func shortening(_ wait: Duration) -> Duration {
      longest.withLock(\.self).map { min($0, wait) } ?? wait
    }

    package static var end: DispatchTime? {
      longest.withLock(\.self).map { .now() + .nanoseconds(Int($0 / .nanoseconds(1))) }
    }
  }
#endif
