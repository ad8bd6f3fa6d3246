import JobKit
import LocalTime
import Postgres

/// One round of an incremental job through the learners of its part: since when, as of when, how far.
struct IncrementalScan {
  let job: JobName
  let part: PartNumber

  /// Where the part stood before; nothing when it has never read anything, or shall read all.
  let since: Watermark?

  /// The instant as of which the round works.
  ///
  /// That is the run's own, unless a later run has been here: its rows are not turned back.
  let asOf: Instant

  /// Where the part stands afterwards.
  private let mark: Watermark

  /// The mark is for all learners of the part, and a canary's run is not.
  private let leavesMark: Bool

  /// Begins a round, or goes on with the one whose cursor was saved.
  init(of job: JobName, in context: borrowing JobContext) throws {
    try self.init(of: job, from: ScanStart.marks(of: job, for: context.part), in: context)
  }

  /// What a plan asks for, of whichever part it is asked: since the part that is furthest behind.
  init(ofAllParts job: JobName, in context: borrowing JobContext) throws {
    try self.init(of: job, from: ScanStart.marks(ofAllPartsOf: job), in: context)
  }

  private init(of job: JobName, from marks: Statement, in context: borrowing JobContext) throws {
    let start = try ScanStart(from: marks, in: context)
    self.job = job
    part = context.part
    since = start.saved
    asOf = max(context.scheduledFor, since?.seenUntil ?? context.scheduledFor)
    let begun = Self.numbers(in: context.progress.cursor).first
    mark = Watermark(seenUntil: asOf, seenIn: begun ?? start.oldest)
    leavesMark = context.percent == 100
  }

  /// The learner behind whom a part goes on that has saved `cursor`.
  func last(in cursor: String?) -> Int? {
    Self.numbers(in: cursor).dropFirst().first
  }

  /// What to save after a chunk that ended with this learner.
  ///
  /// The transactions that were open when the round began are saved too. A round that goes on after a
  /// crash passes nobody twice, so what they wrote about those that it has passed must stay new.
  func cursor(after learner: Int) -> String {
    "\(mark.seenIn) \(learner)"
  }

  /// Writes down that everything is done that was there when the round began.
  func end(on connection: borrowing Connection) throws(PostgresError) {
    guard leavesMark else { return }
    try mark.save(for: job, of: part, on: connection)
  }

  private static func numbers(in cursor: String?) -> [Int] {
    (cursor ?? "").split(separator: " ").compactMap { Int($0) }
  }
}

extension IncrementalScan {
  /// Which rows are new, as a condition on the columns that say when a row was received and in which
  /// transaction it was written; all of them when there was no round before.
  func isNew(_ received: Statement, _ written: Statement) -> Statement {
    "(\(since?.isNew(received, written) ?? "true") AND \(received) <= \(asOf))"
  }
}

/// What a round knows when it begins, all of it from one moment: a transaction between two would be news to
/// no round.
private struct ScanStart {
  /// Where the part stands; nothing when it has never read anything.
  let saved: Watermark?

  /// The oldest transaction that is not over: what it writes is news to the next round, whatever this one sees.
  let oldest: Int

  /// A moment, and the latest of these marks.
  init(from marks: Statement, in context: borrowing JobContext) throws {
    let row = try context.query(
      """
      SELECT pg_snapshot_xmin(transactions)::text::bigint,
        pg_snapshot_xmax(transactions)::text::bigint, seen_until, seen_in
      FROM pg_current_snapshot() AS transactions
      LEFT JOIN (\(marks) ORDER BY seen_until DESC, seen_in DESC LIMIT 1) AS mark ON true
      """
    ).only
    oldest = try row[0]
    let seenUntil: Instant? = try row[2]
    saved = try seenUntil.map { Watermark(seenUntil: $0, seenIn: try row[3], ahead: try row[1]) }
  }

  /// The marks that hold for the part, of which it begins at the latest.
  ///
  /// A part that has none of its own, as after the number of parts has changed, begins at the oldest mark
  /// of a whole set of parts: a learner that is looked at twice comes to the same rows.
  static func marks(of job: JobName, for part: PartNumber) -> Statement {
    """
    SELECT seen_until, seen_in FROM learning.watermarks
    WHERE job = \(job) AND parts = \(part.count) AND part = \(part.number)
    UNION ALL \(marks(ofAllPartsOf: job))
    """
  }

  /// The marks that hold for each part there can be: a set of parts that is not whole says nothing of the
  /// learners of those that are missing.
  static func marks(ofAllPartsOf job: JobName) -> Statement {
    """
    SELECT min(seen_until) AS seen_until, min(seen_in) AS seen_in FROM learning.watermarks
    WHERE job = \(job) GROUP BY parts HAVING count(*) = parts
    """
  }
}

extension JobArgument {
  /// For jobs that look only at learners of whom there is news.
  static let full = JobArgument(
    "full", "looks at every learner, not only at those with news", choices: ["true", "false"])
}
