import JobKit
import LocalTime
import Postgres

/// A refresh of the boards, one chunk after the other.
struct BoardRefresh {
  let scan: IncrementalScan
  let touched: LearnerList

  /// How many places there are from one mark to the next.
  let stride: Int

  private let scores: Scores
  private let plan: BoardPlan

  init(scan: IncrementalScan, touched: LearnerList, rules: LeaderboardRules, stride: Int) {
    (self.scan, self.touched, self.stride) = (scan, touched, stride)
    scores = Scores(asOf: scan.asOf)
    plan = BoardPlan(
      asOf: scan.asOf, week: scores.week, expiresAt: rules.nextRefresh(after: scan.asOf))
  }

  /// Adds up at most so many learners; of entries, which are only read, ten times as many are passed.
  func step(
    of most: Int, _ progress: inout Progress, on connection: borrowing Connection
  ) throws -> ChunkStep {
    switch BoardStep(cursor: progress.cursor) {
    case .scores: try addUp(most, &progress, on: connection)
    case .removal(let version): try remove(most * 10, &progress, for: version, on: connection)
    case .fill(let version, let index, let last):
      try fill(
        max(most * 10 / stride, 1),
        of: BoardFill(version: version, index: index, last: last, stride: stride), &progress,
        on: connection)
    }
  }

  private func addUp(
    _ most: Int, _ progress: inout Progress, on connection: borrowing Connection
  ) throws -> ChunkStep {
    let isPage = try touched.turnPage(of: most, in: scan, &progress, on: connection) {
      connection, progress, ids in
      progress.counters.count("learners", ids.count)
      progress.counters.count("scores_changed", try scores.refresh(ids, on: connection))
      progress.counters.count(
        "quarantined", try scores.quarantine(ids, by: scan.job, on: connection))
    }
    return isPage ? .more : try beginBoards(&progress, on: connection)
  }

  /// The boards are made from everybody's scores, and so by the part that is done last: in a line, each
  /// sees the marks of those before it.
  private func beginBoards(
    _ progress: inout Progress, on connection: borrowing Connection
  ) throws -> ChunkStep {
    try BoardVersion.standInLine(on: connection)
    try scan.end(on: connection)
    let done = try connection.run(
      """
      SELECT count(*) FROM learning.watermarks WHERE job = \(scan.job)
        AND parts = \(scan.part.count) AND seen_until >= \(scan.asOf)
      """
    ).only
    // Of parts that find a version abandoned at the same instant, one takes it over.
    let isLast = scan.part.number == scan.part.count - 1
    guard try done[0] == scan.part.count,
      let version = try plan.begin(takingOver: isLast, on: connection)
    else { return .finished }
    progress.cursor = "removal \(version.number)"
    return .more
  }

  private func remove(
    _ most: Int, _ progress: inout Progress, for version: BoardVersion,
    on connection: borrowing Connection
  ) throws -> ChunkStep {
    // A run that goes on when another has begun a version since has nothing to add to what readers see.
    guard try version.isBeingMade(on: connection) else { return .finished }
    if try BoardRemoval(version: version).step(most, on: connection) {
      progress.cursor = "board \(version.number) 0"
    }
    return .more
  }

  private func fill(
    _ most: Int, of fill: BoardFill, _ progress: inout Progress, on connection: borrowing Connection
  ) throws -> ChunkStep {
    guard try fill.version.isBeingMade(on: connection) else { return .finished }
    guard let next = try fill.step(most, on: connection) else {
      return try publish(fill.version, &progress, on: connection)
    }
    progress.cursor = next.cursor
    return .more
  }

  private func publish(
    _ version: BoardVersion, _ progress: inout Progress, on connection: borrowing Connection
  ) throws -> ChunkStep {
    try BoardVersion.standInLine(on: connection)
    guard try version.isBeingMade(on: connection) else { return .finished }
    progress.counters.count("boards", try version.publish(on: connection))
    progress.counters.count("entries", try version.entries(on: connection))
    guard progress.wantsExamples else { return .finished }
    for example in try version.examples(on: connection) { progress.addExample(example) }
    return .finished
  }
}
