import JobKit
import LocalTime
import Postgres
import TestKit
import Testing

@testable import Jobs

/// What readers ask for is counted from the last mark before it: wherever the marks are, it is the same.
@Suite("Places on a board")
struct BoardPlaceTests {
  private let stage: Stage

  init() throws {
    stage = try Stage(at: "2026-03-11T04:00:00Z", with: .learning)
    for id in 1...60 { try stage.addLearner(id) }
    try stage.addSessions(1...60, each: 20, until: "2026-03-11T03:00:00Z", seed: 1)
  }

  private func naive(_ stage: Stage) throws -> [String] {
    try NaiveBoard(of: "people", since: "2000-01-01", on: stage.connection).entries
  }

  private func around(_ learner: Int, _ neighbours: Int) throws -> [String] {
    try stage.connection.run(
      """
      SELECT concat_ws(' ', place, rank, user_id, score)
      FROM learning.leaderboard_around(\(learner), 'all_time', 'people', \(neighbours)::integer)
      """
    ).map { try $0[0] }
  }

  private func places(_ first: Int, _ last: Int) throws -> [String] {
    try stage.connection.run(
      """
      SELECT concat_ws(' ', place, rank, user_id, score)
      FROM learning.leaderboard_places('all_time', 'people', \(first), \(last))
      """
    ).map { try $0[0] }
  }

  @Test(arguments: [(1, 1000), (7, 1000), (10, 3), (128, 1000)])
  func `every learner is found with the neighbours above and below, from whichever mark`(
    stride: Int, chunk: Int
  ) throws {
    _ = try stage.run(RefreshLeaderboard(chunk: ChunkSize(always: chunk), stride: stride))
    try changeBoards(stride: stride)

    let board = try naive(stage)

    for (index, entry) in board.enumerated() {
      let learner = try #require(Int(entry.split(separator: " ")[2]))
      #expect(
        try around(learner, 2) == Array(board[max(index - 2, 0)...min(index + 2, board.count - 1)]))
    }
    #expect(board.count > 30)
  }

  /// Refreshes again, so that entries end and begin between marks.
  private func changeBoards(stride: Int) throws {
    try stage.pass(.seconds(86_400))
    try stage.addSessions(1...60, each: 1, until: "2026-03-12T03:30:00Z", seed: 2)
    _ = try stage.run(RefreshLeaderboard(chunk: ChunkSize(always: 1000), stride: stride))
  }

  @Test func `a learner is amid the neighbours where others above were deleted since`() throws {
    _ = try stage.run(RefreshLeaderboard(chunk: ChunkSize(always: 1000), stride: 7))
    let learners = try naive(stage).map { try #require(Int($0.split(separator: " ")[2])) }
    let gone = [learners[2], learners[3], learners[4]]
    try stage.connection.run("DELETE FROM learning.users WHERE user_id = ANY(\(gone))")

    // At a mark, which is that of place 8, and before it.
    let (marked, before) = (try around(learners[7], 2), try around(learners[6], 2))

    #expect(placed(marked) == (5...9).map { "\($0 + 1) \(learners[$0])" })
    #expect(placed(before) == zip(2...6, [1, 5, 6, 7, 8]).map { "\($0) \(learners[$1])" })
    #expect(try placed(around(learners[7], 0)) == ["8 \(learners[7])"])
    #expect(try around(learners[7], 9).count == 14)
  }

  /// Who is at which place, without the ranks: who shares a score with one who is gone has another.
  private func placed(_ entries: [String]) -> [String] {
    entries.map { entry in
      let words = entry.split(separator: " ")
      return "\(words[0]) \(words[2])"
    }
  }

  @Test(arguments: [1, 7, 128])
  func `a stretch of a board is what stands there, with ranks that begin before it`(stride: Int)
    throws
  {
    _ = try stage.run(RefreshLeaderboard(chunk: ChunkSize(always: 1000), stride: stride))
    let board = try naive(stage)

    for (first, last) in [(1, 1), (6, 9), (8, 40), (15, 15), (-3, 2)] {
      #expect(try places(first, last) == Array(board[(max(first, 1) - 1)..<last]))
    }
    #expect(try places(board.count, board.count + 20) == board.suffix(1))
    #expect(try places(board.count + 1, board.count + 20).isEmpty)
    #expect(try places(5, 4).isEmpty && places(0, -7).isEmpty)
  }

  @Test func `what is added up for the next boards is not seen before these are made`() throws {
    _ = try stage.run(RefreshLeaderboard(chunk: ChunkSize(always: 2000), stride: 7))
    let before = try naive(stage)
    try stage.pass(.seconds(86_400))
    try stage.addSessions(1...60, each: 3, until: "2026-03-12T03:30:00Z", seed: 2)

    _ = try stage.run(RefreshLeaderboard(chunk: ChunkSize(always: 2000), stride: 7), percent: 50)
    let meanwhile = try stage.board("all_time", "people")
    _ = try stage.run(
      RefreshLeaderboard(chunk: ChunkSize(always: 9), stride: 7), arguments: ["full": "true"],
      percent: 50)
    let later = try stage.board("all_time", "people")
    try stage.pass(.seconds(86_400))
    _ = try stage.run(RefreshLeaderboard(chunk: ChunkSize(always: 2000), stride: 7))

    #expect(meanwhile == before && later == before)
    #expect(try stage.board("all_time", "people") == naive(stage))
    #expect(try naive(stage) != before)
  }

  @Test func `a refresh writes the entries that change and no other`() throws {
    _ = try stage.run(RefreshLeaderboard())
    let entries = try stage.count("SELECT count(*) FROM learning.leaderboard_entries")
    try stage.pass(.seconds(86_400))
    try stage.score(7, 900, at: "2026-03-11T20:00:00Z", on: "2026-03-11")

    _ = try stage.run(RefreshLeaderboard())

    // Of this learner, who had no score of the week: people and overall.
    #expect(
      try stage.text(
        """
        SELECT count(*) FILTER (WHERE since = 1 AND until > 2) || ' stay, ' || count(*) FILTER (WHERE until = 2)
          || ' end, ' || count(*) FILTER (WHERE since = 2) || ' begin'
        FROM learning.leaderboard_entries
        """) == "\(entries - 2) stay, 2 end, 4 begin")
    try stage.pass(.seconds(86_400))
    _ = try stage.run(RefreshLeaderboard())
    #expect(try stage.count("SELECT count(*) FROM learning.leaderboard_entries") == entries + 2)
  }
}
