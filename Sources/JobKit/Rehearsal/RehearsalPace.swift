#if DEBUG
  internal import Dispatch
  internal import Synchronization

  /// How long any loop of a rehearsal sleeps at most.
  ///
  /// The clock of a rehearsal may be turned by hand, in the database: then no timer of this host tells
  /// when the next moment comes. A release build has nothing of it.
  public enum RehearsalPace {
    private static let longest = Mutex<Duration?>(nil)

    public static func keep(_ duration: Duration) {
      longest.withLock { $0 = duration }
    }

    /// A wait, or the pace where that is shorter.
    static func shortening(_ wait: Duration) -> Duration {
      longest.withLock(\.self).map { min($0, wait) } ?? wait
    }

    static var end: DispatchTime? {
      longest.withLock(\.self).map { .now() + .nanoseconds(Int($0 / .nanoseconds(1))) }
    }
  }
#endif
