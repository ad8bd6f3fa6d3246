import JobKit
import LocalTime
import Postgres

/// A refresh of the boards, one chunk after the other.
struct BoardRefresh {
  let round: Round
  let touched: LearnerList

  /// How many learners are added up in one chunk; of entries, which are cheaper, ten times as many.
  let chunk: Int

  private let scores: Scores
  private let version: BoardVersion

  init(round: Round, touched: LearnerList, rules: LeaderboardRules, chunk: Int) {
    (self.round, self.touched, self.chunk) = (round, touched, chunk)
    scores = Scores(asOf: round.asOf)
    version = BoardVersion(
      asOf: round.asOf, week: scores.week, expiresAt: rules.nextRefresh(after: round.asOf))
  }

  func step(
    _ progress: inout Progress, on connection: borrowing Connection
  ) throws -> ChunkStep {
    switch BoardStep(cursor: progress.cursor) {
    case .scores: try addUp(&progress, on: connection)
    // A run that goes on when a later one has been here has nothing to add to what readers see.
    case .removal(let number) where number != version.number: .finished
    case .fill(let number, _, _) where number != version.number: .finished
    case .removal: try remove(&progress, on: connection)
    case .fill(_, let index, let last):
      try fill(BoardFill(version: version, index: index, last: last), &progress, on: connection)
    }
  }

  private func addUp(
    _ progress: inout Progress, on connection: borrowing Connection
  ) throws -> ChunkStep {
    let ids = Array(touched.next(chunk, after: round.last(in: progress.cursor)))
    progress.total = touched.ids.count
    guard let last = ids.last else { return try beginBoards(&progress, on: connection) }
    progress.counters.count("learners", ids.count)
    progress.counters.count("scores_changed", try scores.refresh(ids, on: connection))
    progress.counters.count(
      "quarantined", try scores.quarantine(ids, by: round.job, on: connection))
    progress.done += ids.count
    progress.cursor = round.cursor(after: last)
    return .more
  }

  /// The boards are made from everybody's scores, and so by the part that is done last: in a line, each
  /// sees the marks of those before it.
  private func beginBoards(
    _ progress: inout Progress, on connection: borrowing Connection
  ) throws -> ChunkStep {
    try connection.run("SELECT pg_advisory_xact_lock(\(Self.line))")
    try round.end(on: connection)
    let done = try connection.run(
      """
      SELECT count(*) FROM learning.watermarks WHERE job = \(round.job)
        AND parts = \(round.part.count) AND seen_until >= \(round.asOf)
      """
    ).only
    // Of parts that find a version abandoned at the same instant, one takes it over.
    let isLast = round.part.number == round.part.count - 1
    guard try done[0] == round.part.count,
      try version.begin(takingOver: isLast, on: connection)
    else { return .finished }
    progress.cursor = "removal \(version.number)"
    return .more
  }

  /// A number that nobody else locks: 'boards' in ASCII.
  private static let line = 0x626f_6172_6473

  private func remove(
    _ progress: inout Progress, on connection: borrowing Connection
  ) throws -> ChunkStep {
    let entries = try version.removeOthers(chunk * 10, on: connection)
    let forgotten = try scores.forget(chunk * 10, on: connection)
    if entries < chunk * 10, forgotten < chunk * 10 {
      progress.cursor = "board \(version.number) 0"
    }
    return .more
  }

  private func fill(
    _ fill: BoardFill, _ progress: inout Progress, on connection: borrowing Connection
  ) throws -> ChunkStep {
    guard let next = try fill.step(chunk * 10, on: connection) else {
      progress.counters.count("boards", try version.publish(on: connection))
      progress.counters.count("entries", try version.entries(on: connection))
      guard progress.wantsExamples else { return .finished }
      for example in try version.examples(on: connection) { progress.show(example) }
      return .finished
    }
    progress.cursor = next.cursor
    return .more
  }
}
