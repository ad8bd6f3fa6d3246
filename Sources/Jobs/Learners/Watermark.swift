import JobKit
import LocalTime
import Postgres

/// How far a part of an incremental job has read what the app writes.
///
/// A row that commits late carries an instant that has been passed, but its transaction was not over
/// then: so a row is new when it was received after the one, or written in or after the other.
struct Watermark: Equatable {
  /// Whatever was received up to here has been seen, unless it committed later.
  let seenUntil: Instant

  /// Every transaction before this one was over.
  let seenIn: Int

  /// No transaction of this server has come so far: rows with such a one came from another server, with a
  /// dump, and are not new for that.
  var ahead = Int.max
}

extension Watermark {
  /// Which rows are new, as a condition on the columns that say when a row was received and in which
  /// transaction it was written.
  ///
  /// The sum is for the planner, which would take both bounds for a range of half a percent of the rows.
  func isNew(_ received: Statement, _ written: Statement) -> Statement {
    "(\(received) > \(seenUntil) OR \(written) >= \(seenIn) AND \(written) + 0 < \(ahead))"
  }

  /// Saves the mark; one that is ahead already stays.
  func save(
    for job: JobName, of part: PartNumber, on connection: borrowing Connection
  ) throws(PostgresError) {
    try connection.run(
      """
      INSERT INTO learning.watermarks AS mark (job, parts, part, seen_until, seen_in)
      VALUES (\(job), \(part.count), \(part.number), \(seenUntil), \(seenIn))
      ON CONFLICT (job, parts, part)
      DO UPDATE SET seen_until = excluded.seen_until, seen_in = excluded.seen_in
      WHERE mark.seen_until <= excluded.seen_until
      """)
  }
}
