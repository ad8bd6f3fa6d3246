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

  /// Where the part stands; nothing when it has never read anything.
  ///
  /// A part that has none of its own, as after the number of parts has changed, begins at the oldest mark
  /// of a whole set of parts: a learner that is looked at twice comes to the same rows. A set that is
  /// not whole says nothing of the learners of the parts that are missing.
  static func saved(
    for job: JobName, of part: PartNumber, in context: borrowing JobContext
  ) throws -> Watermark? {
    let marks = try context.look(
      """
      SELECT seen_until, seen_in FROM learning.watermarks
      WHERE job = \(job) AND parts = \(part.count) AND part = \(part.number)
      UNION ALL
      SELECT min(seen_until), min(seen_in) FROM learning.watermarks
      WHERE job = \(job) GROUP BY parts HAVING count(*) = parts
      ORDER BY seen_until DESC, seen_in DESC LIMIT 1
      """)
    guard let row = marks.first else { return nil }
    return Watermark(
      seenUntil: try row["seen_until"], seenIn: try row["seen_in"], ahead: try ahead(in: context))
  }

  /// The first transaction that this server has not begun.
  ///
  /// It grows while a round goes on: what is written meanwhile is left to the next.
  static func ahead(in context: borrowing JobContext) throws -> Int {
    try context.look("SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint").only[0]
  }

  /// The oldest transaction that is not over, to save once everything is done that is visible now.
  ///
  /// Ask before reading: what commits in between is then read again by the next run.
  static func oldestTransaction(in context: borrowing JobContext) throws -> Int {
    try context.look("SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint").only[0]
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
