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

    static var end: DispatchTime? {
      longest.withLock(\.self).map { .now() + .nanoseconds(Int($0 / .nanoseconds(1))) }
    }
  }
#endif
