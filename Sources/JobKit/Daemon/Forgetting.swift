internal import LocalTime
internal import Postgres

/// When old runs are looked for: at once under other settings, then once an hour, and with every beat
/// while there are more than one batch of them.
struct Forgetting {
  private var retention: Retention?
  private var nextAt: Instant?

  private static let rhythm = Duration.seconds(3600)
  private static let batch = 1000

  /// Deletes a batch when it is time to.
  ///
  /// A failure waits for the next hour: it must not stop the beats.
  mutating func beat(
    _ retention: Retention, of jobs: [JobName], at now: Instant, log: Log,
    on connection: borrowing Connection
  ) throws(PostgresError) {
    guard retention != self.retention || nextAt.map({ $0 <= now }) ?? true else { return }
    self.retention = retention
    nextAt = now + Self.rhythm
    do throws(PostgresError) {
      let count = try Ledger.purge(
        retention, of: jobs, limit: Self.batch, at: now, on: connection)
      if count == Self.batch { nextAt = now }
    } catch {
      guard !error.needsNewConnection else { throw error }
      log.error("heart: old runs stay: \(error); tried again in an hour")
    }
  }
}
