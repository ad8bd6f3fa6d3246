import JobKit
import Ledger
import LocalTime
import Postgres
import Runner
import TestKit
import Testing

@testable import Jobs

@Suite("Refresh leaderboard")
struct RefreshLeaderboardTests {
  private let stage: Stage

  init() throws {
    stage = try Stage(at: "2026-03-11T04:00:00Z", with: .learning)
    for id in 1...6 { try stage.addLearner(id) }
  }

  private func session(score: Int, accuracy: Double = 0.5, category: String = "people")
    -> SampleSession
  {
    var session = SampleSession()
    (session.score, session.accuracy, session.category) = (score, accuracy, category)
    return session
  }

  @Test func `equal scores share a rank, and stand in the order of accuracy and of who came first`()
    throws
  {
    try stage.score(1, 1, at: "2026-03-10T10:00:00Z", on: "2026-03-10", session(score: 20))
    try stage.score(2, 1, at: "2026-03-10T09:00:00Z", on: "2026-03-10", session(score: 20))
    try stage.score(
      3, 1, at: "2026-03-10T11:00:00Z", on: "2026-03-10", session(score: 20, accuracy: 1))
    try stage.score(4, 1, at: "2026-03-10T10:00:00Z", on: "2026-03-10", session(score: 20))
    try stage.score(5, 1, at: "2026-03-10T10:00:00Z", on: "2026-03-10", session(score: 30))
    try stage.score(6, 1, at: "2026-03-10T10:00:00Z", on: "2026-03-10", session(score: 10))

    let run = try stage.run(RefreshLeaderboard())

    let board = ["1 1 5 30", "2 2 3 20", "3 2 2 20", "4 2 1 20", "5 2 4 20", "6 6 6 10"]
    #expect(try stage.board("weekly") == board)
    #expect(try stage.board("all_time", "people") == board)
    #expect(run.counters["boards"] == 4 && run.counters["entries"] == 24)
  }

  @Test func `a version that was abandoned is made anew by a run for the same instant`() throws {
    try stage.score(1, 1, at: "2026-03-10T20:00:00Z", on: "2026-03-10")
    _ = try stage.run(RefreshLeaderboard())
    let board = try stage.board("all_time")
    try stage.connection.run("UPDATE learning.leaderboards SET is_current = false")

    let again = try stage.run(RefreshLeaderboard())

    #expect(again.counters["boards"] == 4)
    #expect(try stage.board("all_time") == board && !board.isEmpty)
  }

  @Test func `a run that goes on after a later one changes nothing of what readers see`() throws {
    try stage.score(1, 1, at: "2026-03-10T20:00:00Z", on: "2026-03-10")
    _ = try stage.run(RefreshLeaderboard())
    let written = try stage.versions(of: "leaderboards", "leaderboard_entries", "leaderboard_marks")
    var request = Ledger.RunRequest(
      "refresh_leaderboard", for: try stage.now, parts: 1, policies: Policies(), by: "test")
    request.percent = 100
    let number = try Ledger.enter(request, at: stage.now, on: stage.connection)
    try stage.connection.run(
      "UPDATE jobkit.part SET cursor = 'board 7 0' WHERE run = \(number)")

    try stage.goOn(with: RefreshLeaderboard())

    #expect(try stage.record(of: number).state == .succeeded)
    #expect(
      try stage.versions(of: "leaderboards", "leaderboard_entries", "leaderboard_marks") == written)
  }

  @Test func `a week has what was studied on its days, and all time has everything`() throws {
    try stage.score(1, 1, at: "2026-03-08T20:00:00Z", on: "2026-03-08")
    try stage.score(2, 1, at: "2026-03-08T20:00:00Z", on: "2026-03-09")
    try stage.score(2, 2, at: "2026-03-10T20:00:00Z", on: "2026-03-10", session(score: 5))

    _ = try stage.run(RefreshLeaderboard())

    #expect(try stage.board("weekly") == ["1 1 2 15"])
    #expect(try stage.board("all_time") == ["1 1 2 15", "2 2 1 10"])
    #expect(
      try stage.text("SELECT DISTINCT period FROM learning.leaderboard_top WHERE board = 'weekly'")
        == "2026-W11")
  }

  @Test func `with a new week its boards are empty, and those of all time are not`() throws {
    try stage.score(1, 1, at: "2026-03-10T20:00:00Z", on: "2026-03-10")
    _ = try stage.run(RefreshLeaderboard())

    try stage.pass(.seconds(7 * 86_400))
    _ = try stage.run(RefreshLeaderboard())

    #expect(try stage.board("weekly") == [] && stage.board("weekly", "people") == [])
    #expect(try stage.board("all_time") == ["1 1 1 10"])
    #expect(
      try stage.text(
        "SELECT string_agg(DISTINCT period, ' ') FROM learning.leaderboards WHERE is_current")
        == "2026-W12 all")
    try stage.pass(.seconds(86_400))
    _ = try stage.run(RefreshLeaderboard())
    #expect(
      try stage.text("SELECT string_agg(DISTINCT period, ' ') FROM learning.leaderboard_entries")
        == "all")
  }

  @Test func `who has another name or is suspended is right at the next refresh`() throws {
    for id in 1...3 {
      try stage.score(id, 1, at: "2026-03-10T20:00:00Z", on: "2026-03-10", session(score: 10 * id))
    }
    _ = try stage.run(RefreshLeaderboard())
    try stage.connection.run(
      "UPDATE learning.users SET status = 'suspended' WHERE user_id = 2")
    try stage.connection.run("UPDATE learning.users SET display_name = 'Ana' WHERE user_id = 1")

    try stage.pass(.seconds(86_400))
    _ = try stage.run(RefreshLeaderboard())

    #expect(try stage.board("weekly") == ["1 1 3 30", "2 2 1 10"])
    #expect(
      try stage.text(
        """
        SELECT display_name FROM learning.leaderboard_top
        WHERE board = 'weekly' AND category = 'overall' AND place = 2
        """) == "Ana")
  }

  @Test func `a board says when it was made and when the next is to be expected`() throws {
    _ = try stage.run(RefreshLeaderboard())

    #expect(
      try stage.text(
        """
        SELECT DISTINCT to_char(last_updated AT TIME ZONE 'UTC', 'MM-DD HH24:MI') || ' '
          || to_char(cache_expires_at AT TIME ZONE 'UTC', 'MM-DD HH24:MI')
        FROM learning.leaderboards
        """) == "03-11 04:00 03-12 04:00")
  }

  @Test func `the next board is to be expected when the job runs next, however it came to run`()
    throws
  {
    var rules = LeaderboardRules()
    rules.schedule = Schedule(
      CronSchedule(try Cron("0 5 * * 1"), in: try stage.zones.zone(named: "Asia/Seoul")))

    _ = try stage.run(RefreshLeaderboard(rules: rules))

    #expect(
      try stage.text(
        """
        SELECT DISTINCT to_char(cache_expires_at AT TIME ZONE 'UTC', 'MM-DD HH24:MI')
        FROM learning.leaderboards
        """) == "03-15 20:00")
  }

  @Test func `sessions that cannot be are left out, and said so once`() throws {
    var backwards = session(score: 10)
    backwards.minutes = -10
    var early = session(score: 10)
    early.receivedAt = "2026-03-10T19:49:59Z"
    try stage.score(1, 1, at: "2026-03-10T20:00:00Z", on: "2026-03-10", backwards)
    try stage.score(2, 1, at: "2026-03-10T20:00:00Z", on: "2026-03-10", early)
    try stage.score(3, 1, at: "2026-03-10T20:00:00Z", on: "10000-01-01")

    let run = try stage.run(RefreshLeaderboard())
    _ = try stage.run(RefreshLeaderboard(), arguments: ["full": "true"])

    #expect(try stage.board("all_time").isEmpty)
    #expect(
      try stage.text(
        """
        SELECT string_agg(concat_ws(' ', user_id, source, row_key, reason), ', ' ORDER BY user_id)
        FROM learning.quarantine
        """) == "1 sessions 1 ends_before_it_starts, 2 sessions 1 ends_after_it_was_received,"
        + " 3 sessions 1 ends_on_another_day")
    #expect(run.counters["quarantined"] == 3)
  }

  @Test func `a dry run tells who would lead the boards`() throws {
    try stage.score(1, 1, at: "2026-03-10T20:00:00Z", on: "2026-03-10", session(score: 10))
    try stage.score(2, 1, at: "2026-03-10T20:00:00Z", on: "2026-03-10", session(score: 30))

    let report = try stage.dryRun(RefreshLeaderboard())
    #expect(
      report.progress.examples.prefix(3) == [
        "weekly board of overall: learner 2 would be at place 1 with 30",
        "weekly board of overall: learner 1 would be at place 2 with 10",
        "all_time board of overall: learner 2 would be at place 1 with 30",
      ])
  }

  @Test func `a learner sees the neighbours above and below`() throws {
    for id in 1...6 {
      try stage.score(id, 1, at: "2026-03-10T20:00:00Z", on: "2026-03-10", session(score: 10 * id))
    }
    _ = try stage.run(RefreshLeaderboard())

    let around = { (user: Int, neighbours: Int) in
      try stage.text(
        """
        SELECT coalesce(string_agg(concat_ws(':', place, user_id), ' ' ORDER BY place), 'nobody')
        FROM learning.leaderboard_around(\(user), 'weekly', 'overall', \(neighbours)::integer)
        """)
    }
    #expect(try around(4, 1) == "2:5 3:4 4:3")
    #expect(try around(6, 2) == "1:6 2:5 3:4")
    #expect(try around(7, 2) == "nobody")
  }
}
