import JobKit
import LocalTime
import Postgres
import TestKit
import Testing

@testable import Jobs

@Suite("A version of the boards that a run has abandoned")
struct AbandonedBoardTests {
  private let stage: Stage
  private let version: BoardVersion

  init() throws {
    stage = try Stage(at: "2026-03-11T04:00:00Z", with: .learning)
    let now = try stage.now
    version = BoardVersion(
      asOf: now, week: CalendarWeek(containing: Zone.utc.localDay(of: now)), expiresAt: now)
    _ = try version.begin(takingOver: false, on: stage.connection)
    try stage.connection.run(
      """
      INSERT INTO learning.leaderboard_entries
        (board, category, version, place, rank, user_id, display_name, score, accuracy)
      SELECT 'weekly', 'overall', \(version.number), n, n, n, 'Ana', 1, 1 FROM generate_series(1, 5) AS n
      """)
  }

  private func entries() throws -> Int {
    try stage.count("SELECT count(*) FROM learning.leaderboard_entries")
  }

  @Test func `is taken over by one part, and emptied in pieces before it is written`() throws {
    let others = try version.begin(takingOver: false, on: stage.connection)
    let mine = try version.begin(takingOver: true, on: stage.connection)
    let left = try entries()

    let removed = try (1...3).map { _ in try version.removeOthers(2, on: stage.connection) }

    #expect(!others && mine)
    #expect(left == 5 && removed == [2, 2, 1])
    #expect(try entries() == 0)
    #expect(try stage.count("SELECT count(*) FROM learning.leaderboards") == 2)
  }

  @Test func `is none that readers see`() throws {
    _ = try version.publish(on: stage.connection)

    #expect(try version.begin(takingOver: true, on: stage.connection) == false)
    #expect(try version.removeOthers(10, on: stage.connection) == 0)
    #expect(try entries() == 5)
  }
}
