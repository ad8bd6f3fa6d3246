internal import JobKit
internal import Ledger
internal import LocalTime
internal import Postgres

/// What a daemon's heart does each second, done only when there can be something to do.
struct SimulatedMaintenance {
  private let jobs: [JobName]
  private let retention: Retention?
  private var purger: Instant?

  init(for pool: WorkerPool, retention: Retention?) {
    jobs = Array(pool.jobs.keys)
    self.retention = retention
  }

  /// Ends what was cancelled and writes off what comes too late, and once a day forgets old runs.
  ///
  /// No lease ever runs out here: whoever holds a part ends it before the clock is turned.
  mutating func pass(
    at now: Instant, repairs: Bool, on connection: borrowing Connection
  ) throws(PostgresError) {
    if repairs {
      _ = try Ledger.endCancelled(at: now, on: connection)
      _ = try Ledger.missLate(jobs, at: now, on: connection)
    }
    guard let retention, purger.map({ $0 <= now }) ?? true else { return }
    while try Ledger.purge(retention, limit: Self.batch, at: now, on: connection) == Self.batch {}
    try Ledger.forgetNotices(at: now, on: connection)
    purger = now + .seconds(86_400)
  }

  /// Decides the ticks whose wait for other jobs is over; whether there was one.
  ///
  /// What does not run may be what others wait for.
  func decideWaiting(
    of jobs: [ScheduledJob], at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) -> Bool {
    var (isAny, isNews) = (false, false)
    var place: Ledger.WaitingPlace?
    repeat {
      isNews = false
      repeat {
        let decided = try Ledger.decideWaiting(jobs, after: &place, at: now, on: connection)
        isNews = isNews || !decided.isEmpty
      } while place != nil
      isAny = isAny || isNews
    } while isNews
    return isAny
  }

  private static let batch = 1000
}
