import JobKit
import Ledger
import LocalTime
import Migrations
import Postgres
import TestKit
import TestSupport
import Testing

@testable import Jobs

@Suite("A learner at a mark of a board who is deleted")
struct ForgottenMarkTests {
  private func stage() throws -> Stage {
    let stage = try Stage(at: "2026-03-11T04:00:00Z", with: .learning)
    for id in 1...60 { try stage.addLearner(id) }
    try stage.addSessions(1...60, each: 20, until: "2026-03-11T03:00:00Z", seed: 1)
    _ = try refresh(stage)
    return stage
  }

  private func refresh(_ stage: Stage) throws -> RunRecord {
    try stage.run(RefreshLeaderboard(chunk: ChunkSize(always: 1000), stride: 7))
  }

  private func naive(_ stage: Stage) throws -> [String] {
    try NaiveBoard(of: "people", since: "2000-01-01", on: stage.connection).entries
  }

  private func learner(of entry: String) throws -> Int {
    try #require(Int(entry.split(separator: " ")[2]))
  }

  /// Deletes who is at these places of the board, and returns who they were.
  private func delete(_ places: [Int], from stage: Stage) throws -> [Int] {
    let board = try naive(stage)
    let learners = try places.map { try learner(of: board[$0 - 1]) }
    try stage.connection.run("DELETE FROM learning.users WHERE user_id = ANY(\(learners))")
    return learners
  }

  /// The tables that have a row of one of these learners.
  private func tables(naming learners: [Int], on stage: Stage) throws -> [String] {
    let tables = try stage.connection.run(
      """
      SELECT table_name::text FROM information_schema.columns
      JOIN information_schema.tables USING (table_schema, table_name)
      WHERE table_schema = 'learning' AND column_name = 'user_id' AND table_type = 'BASE TABLE'
      """
    ).map { try $0[0, as: String.self] }
    return try tables.filter { table in
      try stage.count(
        """
        SELECT count(*) FROM learning.\(identifier: table) WHERE user_id = ANY(\(learners))
        """) > 0
    }
  }

  @Test(arguments: [[1], [8], [1, 8, 15], [22, 23]])
  func `stands in no table any more, and the others stand on the board`(places: [Int]) throws {
    let stage = try stage()
    let gone = try delete(places, from: stage)

    let others = try naive(stage)

    #expect(try tables(naming: gone, on: stage).isEmpty)
    #expect(try !tables(naming: [learner(of: others[0])], on: stage).isEmpty)
    #expect(try stage.board("all_time", "people") == others && others.count > 30)
    for other in try others.map(learner) {
      let own = try stage.count(
        """
        SELECT count(*) FROM learning.leaderboard_around(\(other), 'all_time', 'people', 0)
        WHERE user_id = \(other)
        """)
      #expect(own == 1, "learner \(other)")
    }
  }

  @Test func `is not marked once gone, and the boards are made in the same run`() throws {
    let stage = try stage()
    let first = try learner(of: naive(stage)[0])
    try stage.pass(.seconds(86_400))
    let app = try stage.held(
      by: "DELETE FROM learning.users WHERE user_id = \(first)", then: "SELECT 1")

    let run = try refresh(stage)
    try app.value()

    #expect(run.state == .succeeded && run.counters["boards"] == 8)
    #expect(try stage.count("SELECT sum(failures + worker_losses) FROM jobkit.part") == 0)
    #expect(try tables(naming: [first], on: stage).isEmpty)
    #expect(try stage.board("all_time", "people") == naive(stage))
  }
}
