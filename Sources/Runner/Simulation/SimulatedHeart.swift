internal import JobKit
internal import Ledger
internal import LocalTime
internal import Postgres

/// What a daemon's heart does each second, done only when there can be something to do.
struct SimulatedHeart {
  private let jobs: [JobName]
  private let retention: Retention?
  private var forgetting: Instant?

  init(beatsFor crew: Crew, retention: Retention?) {
    jobs = Array(crew.jobs.keys)
    self.retention = retention
  }

  /// Ends what was cancelled and writes off what comes too late, and once a day forgets old runs.
  ///
  /// No lease ever runs out here: whoever holds a part ends it before the clock is turned.
  mutating func beat(
    at now: Instant, tidies: Bool, on connection: borrowing Connection
  ) throws(PostgresError) {
    if tidies {
      _ = try Ledger.endCancelled(at: now, on: connection)
      _ = try Ledger.missLate(jobs, at: now, on: connection)
    }
    guard let retention, forgetting.map({ $0 <= now }) ?? true else { return }
    while try Ledger.purge(retention, limit: Self.batch, at: now, on: connection) == Self.batch {}
    try Ledger.forgetNotices(at: now, on: connection)
    forgetting = now + .seconds(86_400)
  }

  private static let batch = 1000
}
