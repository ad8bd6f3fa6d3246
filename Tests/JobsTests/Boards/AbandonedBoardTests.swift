import JobKit
import LocalTime
import Postgres
import TestKit
import Testing

@testable import Jobs

@Suite("A version of the boards that a run has abandoned")
struct AbandonedBoardTests {
  private let stage: Stage
  private let plan: BoardPlan
  private let version: BoardVersion

  init() throws {
    stage = try Stage(at: "2026-03-11T04:00:00Z", with: .learning)
    for id in 1...5 { try stage.addLearner(id) }
    let now = try stage.now
    plan = BoardPlan(
      asOf: now, week: CalendarWeek(containing: Zone.utc.localDay(of: now)), expiresAt: now)
    version = try #require(try plan.begin(takingOver: false, on: stage.connection))
    try stage.connection.run(
      """
      INSERT INTO learning.leaderboard_marks
      SELECT 'weekly', 'overall', \(version.number), n, n, -n, -1, now(), n FROM generate_series(1, 5) AS n
      """)
  }

  private func marks() throws -> Int {
    try stage.count("SELECT count(*) FROM learning.leaderboard_marks")
  }

  @Test func `is made anew by one part, and removed in pieces before that`() throws {
    let others = try plan.begin(takingOver: false, on: stage.connection)
    let mine = try #require(try plan.begin(takingOver: true, on: stage.connection))

    let isAll = try (1...3).map { _ in
      try BoardRemoval(version: mine).step(2, on: stage.connection)
    }

    #expect(others == nil && mine.number > version.number)
    #expect(isAll == [false, false, true])
    #expect(try marks() == 0)
    #expect(try stage.count("SELECT count(*) FROM learning.leaderboards") == 2)
  }

  @Test func `is left by who makes it when another has begun one since`() throws {
    let before = try version.isBeingMade(on: stage.connection)

    _ = try plan.begin(takingOver: true, on: stage.connection)

    #expect(try before && !version.isBeingMade(on: stage.connection))
  }

  @Test func `is none that readers see`() throws {
    _ = try version.publish(on: stage.connection)

    #expect(try plan.begin(takingOver: true, on: stage.connection) == nil)
    #expect(try BoardRemoval(version: version).step(10, on: stage.connection))
    #expect(try marks() == 5)
  }
}
