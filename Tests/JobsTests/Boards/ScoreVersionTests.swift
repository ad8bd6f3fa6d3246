import JobKit
import LocalTime
import Postgres
import TestKit
import Testing

@testable import Jobs

@Suite("Scores before the version that shows them")
struct ScoreVersionTests {
  private let stage: Stage

  init() throws {
    stage = try Stage(at: "2026-03-11T04:00:00Z", with: .learning)
    for id in 1...2 { try stage.addLearner(id) }
    try stage.score(1, 1, at: "2026-03-10T10:00:00Z", on: "2026-03-10")
  }

  /// Adds up both learners; returns how many scores changed.
  private func refresh() throws -> Int {
    try stage.connection.transaction { connection in
      try Scores(asOf: stage.now).refresh([1, 2], on: connection)
    }
  }

  private func set(_ status: String) throws {
    try stage.connection.run("UPDATE learning.users SET status = \(status) WHERE user_id = 1")
  }

  /// The entries on the board of all time and of everything, as `user score since until`.
  private func entries() throws -> [String] {
    try stage.connection.run(
      """
      SELECT concat_ws(' ', user_id, score, since, nullif(until, \(BoardVersion.open)))
      FROM learning.leaderboard_entries WHERE period = 'all' AND category = 'overall'
      ORDER BY user_id, since
      """
    ).map { try $0[0] }
  }

  @Test func `are written where they stand when they change again`() throws {
    let first = try refresh()
    try stage.score(1, 2, at: "2026-03-10T11:00:00Z", on: "2026-03-10")

    #expect(try refresh() == first && first == 4)
    #expect(try entries() == ["1 20 1"])
    #expect(try refresh() == 0)
  }

  @Test func `of who leaves and comes back are shown again, with what was scored since`() throws {
    _ = try refresh()
    try set("suspended")
    #expect(try refresh() == 4)
    #expect(try entries() == ["1 10 1 1"])
    try stage.score(1, 2, at: "2026-03-10T11:00:00Z", on: "2026-03-10")
    try set("active")

    #expect(try refresh() == 4)
    #expect(try entries() == ["1 20 1"])
  }

  @Test func `that readers see end where others begin, and are not changed`() throws {
    _ = try stage.run(RefreshLeaderboard())
    try stage.score(1, 2, at: "2026-03-10T11:00:00Z", on: "2026-03-10")

    for _ in 1...2 { _ = try refresh() }

    #expect(try entries() == ["1 10 1 2", "1 20 2"])
    #expect(try stage.board("all_time") == ["1 1 1 10"])
    try set("suspended")
    #expect(try refresh() == 4)
    #expect(try entries() == ["1 10 1 2", "1 20 2 2"])
  }
}
