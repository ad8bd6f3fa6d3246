import LocalTime
import Postgres

extension Ledger {
  /// Writes how far a part has come, in the transaction that did the work: both or neither.
  ///
  /// It comes last in the chunk, so that the row is locked for as short as can be: heartbeats of the
  /// same part go on beside a long chunk.
  static func save(
    _ progress: Progress, of fence: Fence, on connection: borrowing Connection
  ) throws {
    let saved = try connection.run(
      keepingPlanOf: """
        UPDATE jobkit.part
        SET cursor = \(progress.cursor), done = \(progress.done), total = \(progress.total),
          counter_names = \(progress.counters.names), counter_values = \(progress.counters.values)
        WHERE run = \(fence.run) AND number = \(fence.part) AND epoch = \(fence.epoch)
          AND state = 'running'
        """)
    guard saved.affected == 1 else { throw FenceLost(fence: fence) }
  }
}
