internal import JobKit
internal import Ledger
internal import LocalTime
internal import Postgres

/// When old runs are looked for: at once under other settings, then once an hour, and with every pass
/// while there are more than one batch of them.
package struct RetentionPurger {

  package init() {
  }
  private var retention: Retention?
  private var nextAt: Instant?

  /// Into how many a batch is cut, since a whole one took longer than a statement of the maintenance loop may.
  private var cuts = 1

  private static let rhythm = Duration.seconds(3600)

  /// How many rows a batch may hold, the parts of its runs included: it must not hold up the passes.
  private static let rows = 10_000

  /// Deletes a batch when it is time to.
  ///
  /// A failure waits for the next hour: it must not stop the passes. What only took too long is tried again with
  /// half as many.
  mutating func pass(
    _ retention: Retention, of jobs: [JobName], parts: Int, at now: Instant, log: Log,
    on connection: borrowing Connection
  ) throws(PostgresError) {
    // A clock that was set back must not keep it from looking for as long as that.
    let isTime = nextAt.map { $0 <= now || $0 - now > Self.rhythm } ?? true
    guard retention != self.retention || isTime else { return }
    let batch = max(1, Self.rows / max(parts, 10) / cuts)
    self.retention = retention
    nextAt = now + Self.rhythm
    do throws(PostgresError) {
      let count = try Ledger.purge(
        retention, of: jobs, limit: batch, at: now, on: connection)
      guard count < batch else {
        nextAt = now
        return
      }
      cuts = 1
      try Ledger.forgetNotices(at: now, on: connection)
      try Ledger.forgetTexts(on: connection)
    } catch PostgresError.deadline where batch > 1 {
      (cuts, nextAt) = (cuts * 2, now)
    } catch {
      guard !error.needsNewConnection else { throw error }
      log.error("maintenance: old runs stay: \(error); tried again in an hour")
    }
  }
}
