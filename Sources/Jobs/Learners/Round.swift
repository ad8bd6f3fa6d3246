import JobKit
import LocalTime
import Postgres

/// One round of an incremental job through the learners of its part: since when, as of when, how far.
struct Round {
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
    // Before it is asked which transactions are still to come: none may be after those and before these.
    let oldest = try Watermark.oldestTransaction(in: context)
    let saved = try Watermark.saved(for: job, of: context.part, in: context)
    self.job = job
    part = context.part
    since = saved
    asOf = max(context.scheduledFor, saved?.seenUntil ?? context.scheduledFor)
    let begun = Self.numbers(in: context.progress.cursor).first
    mark = Watermark(seenUntil: asOf, seenIn: begun ?? oldest)
    leavesMark = context.percent == 100
  }

  /// The learner at whom a part goes on that has saved `cursor`, as a list of learners reads it.
  func last(in cursor: String?) -> String? {
    Self.numbers(in: cursor).dropFirst().first.map(String.init)
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

extension Round {
  /// Which rows are new, as a condition on the columns that say when a row was received and in which
  /// transaction it was written; all of them when there was no round before.
  func isNew(_ received: Statement, _ written: Statement) -> Statement {
    "(\(since?.isNew(received, written) ?? "true") AND \(received) <= \(asOf))"
  }
}
