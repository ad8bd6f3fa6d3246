internal import JobKit
internal import LocalTime
internal import Postgres

/// Which rows are new to a run: those that are there as of its moment, and were not as of that of the run before.
///
/// Each version of a row is new to one run that succeeds, also where it commits late: what counts beside the instant
/// is the transaction that wrote it.
struct NewRows: Sendable {
  /// How far the runs before have come; nothing where all rows are new.
  let mark: Watermark?

  /// The transactions that were over when the run began.
  let seenIn: String

  /// The instant as of which the run works: its own, unless a later run has been here, whose rows are not turned back.
  let asOf: Instant

  init(since mark: Watermark?, seenIn: String, at moment: Instant) {
    self.mark = mark
    self.seenIn = seenIn
    asOf = max(moment, mark?.seenUntil ?? moment)
  }

  /// Where the part stands when all of its rows have been looked at.
  var end: Watermark { Watermark(seenUntil: asOf, seenIn: seenIn) }
}

extension NewRows {
  /// Whether a row is new, by the columns that say when it was received and in which transaction it was written.
  ///
  /// A row with a transaction to which this server has not come yet is from another server, with a dump: it is new
  /// when it was received after the run before. So is one without a transaction.
  func condition(received: Statement, written: Statement) -> Statement {
    let isThere: Statement = """
      (coalesce(\(isOver(written, in: seenIn)), true)
        OR \(number(written)) >= pg_snapshot_xmax(pg_current_snapshot()))
      """
    guard let mark else { return "(\(received) <= \(asOf) AND \(isThere))" }
    // The number is written out: the column may be a bigint or an xid8, and an index on it is used.
    return """
      (\(received) <= \(asOf) AND (\(received) > \(mark.seenUntil) AND \(isThere)
        OR \(written) >= '\(verbatim: mark.oldestOpen)'
          AND \(isOver(written, in: seenIn)) AND NOT \(isOver(written, in: mark.seenIn))))
      """
  }

  /// Whether a row may be new whose transaction nobody has noted: it was received after the run before, or no longer
  /// before it than rows take to commit.
  func condition(received: Statement, lookingBack: Duration) -> Statement {
    guard let mark else { return "(\(received) <= \(asOf))" }
    return "(\(received) <= \(asOf) AND \(received) > \(mark.seenUntil - lookingBack))"
  }

  private func number(_ written: Statement) -> Statement { "(\(written))::text::xid8" }

  private func isOver(_ written: Statement, in transactions: String) -> Statement {
    "pg_visible_in_snapshot(\(number(written)), \(transactions)::pg_snapshot)"
  }
}

extension Watermark {
  /// The number of the oldest transaction that was not over.
  fileprivate var oldestOpen: String { String(seenIn.prefix { ("0"..."9").contains($0) }) }
}

extension NewRows {
  /// What is new to a run that may have begun already: with `part` of that part, else of all.
  init(
    to part: PartNumber?, begun basis: RunBasis?, in context: borrowing JobContext
  ) throws {
    let isFull = context.arguments[JobArgument.full.name] == "true"
    let mark =
      isFull
      ? nil
      : try context.ask { connection throws in
        try context.memory?.watermark(of: part, on: connection)
      }
    let seenIn =
      try basis?.seenIn
      ?? context.query("SELECT pg_current_snapshot()::text").only[0, as: String.self]
    self.init(since: mark, seenIn: seenIn, at: context.scheduledFor)
  }

  /// What is new to a run that would begin now.
  init(
    at now: Instant, from memory: any JobMemory, on connection: borrowing Connection
  ) throws {
    let mark = try memory.watermark(of: nil, on: connection)
    let seenIn: String = try connection.run("SELECT pg_current_snapshot()::text").only[0]
    self.init(since: mark, seenIn: seenIn, at: now)
  }

  /// What stands for it where a statement is only planned: next to nothing is new.
  static func planned(at now: Instant) -> NewRows {
    NewRows(since: Watermark(seenUntil: now, seenIn: "9:9:"), seenIn: "9:9:", at: now)
  }
}

extension JobArgument {
  static let full = JobArgument(
    "full", "looks at every row, not only at those that are new", choices: ["true", "false"])
}
