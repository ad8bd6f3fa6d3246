package import JobKit
import LocalTime
package import Postgres

extension Claim: ProgressStore {
  package func save(
    _ next: Progress, after saved: Progress, on connection: borrowing Connection
  ) throws {
    try Ledger.save(next, under: after(saved), on: connection)
  }

  package func keep(output: String, on connection: borrowing Connection) throws {
    try Ledger.keep(output: output, of: fence, on: connection)
  }
}

extension Ledger {
  /// Writes how far a part has come, in the transaction that did the work: both or neither.
  ///
  /// It comes last in the chunk, so that the row is locked for as short as can be: heartbeats of the
  /// same part go on beside a long chunk. It is refused when the ledger has forgotten the chunk before: this
  /// one would go on behind a gap. A part that comes further is in no crash loop, however often it lost its
  /// worker before.
  package static func save(
    _ progress: Progress, under claim: Claim, on connection: borrowing Connection
  ) throws {
    let saved = try connection.run(
      keepingPlanOf: """
        UPDATE jobkit.part
        SET cursor = \(progress.cursor), done = \(progress.done), total = \(progress.total),
          counter_names = \(progress.counters.names), counter_values = \(progress.counters.values),
          losses_without_progress = CASE WHEN (cursor, done, counter_values) IS DISTINCT FROM
            (\(progress.cursor), \(progress.done), \(progress.counters.values))
            THEN 0 ELSE losses_without_progress END
        WHERE \(claim.isRemembered)
        """)
    guard saved.affected == 1 else { throw FenceLost(fence: claim.fence) }
  }
}
