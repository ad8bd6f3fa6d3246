import JobKit
import Ledger
import LocalTime
import Postgres
import TestKit
import TestSupport
import Testing

@testable import Jobs

/// Whenever, wherever and however often boards are made, they come to the same rows.
@Suite("Rounds of refresh leaderboard")
struct LeaderboardRoundTests {
  private let stage: Stage

  init() throws {
    stage = try Self.stage()
  }

  private static func stage(learners: [Int] = Array(1...80)) throws -> Stage {
    let stage = try Stage(at: "2026-03-11T04:00:00Z", with: .learning)
    for id in learners { try stage.addLearner(id) }
    try stage.connection.run(
      "UPDATE learning.users SET status = 'suspended' WHERE user_id % 9 = 0")
    try stage.addSessions(learners, each: 20, until: "2026-03-11T03:00:00Z", seed: 1)
    return stage
  }

  private func content(of stage: Stage) throws -> [String] {
    try stage.content(
      of: "leaderboards", "leaderboard_entries", "leaderboard_marks", "quarantine")
  }

  @Test(arguments: [1000, 2])
  func `boards are what a sort of everything is, ties included, in whatever pieces`(
    chunk: Int
  ) throws {
    _ = try stage.run(RefreshLeaderboard(chunk: ChunkSize(always: chunk)))

    for (board, since) in [("weekly", "2026-03-09"), ("all_time", "2000-01-01")] {
      for category in ["overall", "people", "music", "countries"] {
        let naive = try NaiveBoard(of: category, since: since, on: stage.connection)
        #expect(try stage.board(board, category) == naive.entries)
        #expect(naive.entries.count > 10 && naive.ties > 5)
      }
    }
  }

  @Test func `a second run for the same moment writes nothing`() throws {
    _ = try stage.run(RefreshLeaderboard())
    let tables = { (stage: Stage) in
      try stage.versions(of: "leaderboards", "leaderboard_entries", "leaderboard_marks")
    }
    let written = try tables(stage)

    _ = try stage.run(RefreshLeaderboard())
    let full = try stage.run(RefreshLeaderboard(), arguments: ["full": "true"])

    #expect(try tables(stage) == written)
    #expect(full.counters["learners"] == 80 && full.counters["scores_changed"] == 0)
  }

  @Test func `day by day as sessions arrive comes to what everything at once comes to`() throws {
    let atOnce = try Self.stage()
    for day in 12...17 {
      for each in [stage, atOnce] {
        try each.addSessions(1...30, each: 2, until: "2026-03-\(day)T03:30:00Z", seed: day)
        try each.pass(.seconds(86_400))
      }
      _ = try stage.run(RefreshLeaderboard())
    }

    _ = try atOnce.run(RefreshLeaderboard())
    let full = try stage.run(RefreshLeaderboard(), arguments: ["full": "true"])

    #expect(try shown(by: stage) == shown(by: atOnce))
    for board in ["weekly", "all_time"] {
      #expect(try stage.board(board) == atOnce.board(board))
    }
    #expect(full.counters["scores_changed"] == 0)
  }

  /// All that the current versions show, whichever version it is from.
  private func shown(by stage: Stage) throws -> [String] {
    try stage.connection.run(
      """
      SELECT concat_ws(' ', user_id, entry.period, entry.category, display_name, score, accuracy, reached_at)
      FROM learning.leaderboards AS current
      JOIN learning.leaderboard_entries AS entry
        ON entry.period = current.period AND entry.category = current.category
        AND since <= version AND until > version
      WHERE is_current ORDER BY 1
      """
    ).map { try $0[0] }
  }

  @Test func `in parts and in small chunks it comes to the same rows`() throws {
    let stage = try Self.stage(learners: scattered(80))
    let inParts = try Self.stage(learners: scattered(80))
    let inChunks = try Self.stage(learners: scattered(80))

    _ = try stage.run(RefreshLeaderboard())
    let run = try inParts.run(InParts(3, of: RefreshLeaderboard()))
    _ = try inChunks.run(RefreshLeaderboard(chunk: ChunkSize(always: 1)))

    #expect(try content(of: inParts) == content(of: stage))
    #expect(try content(of: inChunks) == content(of: stage))
    #expect(run.counters["learners"] == 80 && run.counters["boards"] == 8)
  }

  @Test func `a refresh that fails halfway shows nobody anything, and goes on where it was`() throws
  {
    let whole = try Self.stage()
    _ = try stage.run(RefreshLeaderboard())
    let before = try stage.board("all_time")
    try stage.pass(.seconds(86_400))
    try whole.pass(.seconds(86_400))
    try stage.connection.run(
      """
      ALTER TABLE learning.leaderboard_marks
      ADD CONSTRAINT broken CHECK (place <= 30 OR category <> 'people') NOT VALID
      """)
    for each in [stage, whole] {
      try each.addSessions(1...80, each: 2, until: "2026-03-12T03:30:00Z", seed: 12)
    }

    let failed = try stage.run(RefreshLeaderboard(chunk: ChunkSize(always: 2), stride: 10))
    let meanwhile = try stage.board("all_time")
    try stage.connection.run("ALTER TABLE learning.leaderboard_marks DROP CONSTRAINT broken")
    try stage.pass(.seconds(60))
    try stage.goOn(with: RefreshLeaderboard(chunk: ChunkSize(always: 2), stride: 10))
    _ = try whole.run(RefreshLeaderboard())

    #expect(failed.state != .succeeded && meanwhile == before)
    #expect(try stage.record(of: failed.id).state == .succeeded)
    #expect(try stage.board("all_time", "people") == whole.board("all_time", "people"))
    #expect(try stage.board("all_time") != before)
    #expect(
      try stage.count("SELECT count(DISTINCT version) FROM learning.leaderboard_marks") == 2)
  }

  @Test func `what a refresh left that never came to its end is removed by the next`() throws {
    _ = try stage.run(RefreshLeaderboard())
    try stage.pass(.seconds(86_400))
    try stage.connection.run(
      """
      ALTER TABLE learning.leaderboard_marks
      ADD CONSTRAINT broken CHECK (category <> 'people') NOT VALID
      """)
    _ = try stage.run(RefreshLeaderboard(chunk: ChunkSize(always: 2)))
    try stage.connection.run("ALTER TABLE learning.leaderboard_marks DROP CONSTRAINT broken")
    try stage.connection.run("DELETE FROM jobkit.run WHERE state <> 'succeeded'")

    try stage.pass(.seconds(86_400))
    _ = try stage.run(RefreshLeaderboard())

    #expect(
      try stage.count("SELECT count(DISTINCT version) FROM learning.leaderboard_marks") == 2)
  }

  @Test func `sessions that commit after their moment has passed are seen by the next run`() throws
  {
    _ = try stage.run(RefreshLeaderboard())
    let late = try stage.database.connect()
    try late.run("BEGIN")
    try late.run(
      """
      INSERT INTO learning.sessions SELECT 1, 99, gen_random_uuid(), 'people', at, at, true,
        '2026-03-11', 3, 1, 1, 0, 1000, 'online', at
      FROM (SELECT '2026-03-11T05:00:00Z'::timestamptz) AS m (at)
      """)
    try stage.pass(.seconds(86_400))
    _ = try stage.run(RefreshLeaderboard())
    let before = try stage.board("weekly").first

    try late.run("COMMIT")
    try stage.pass(.seconds(86_400))
    _ = try stage.run(RefreshLeaderboard())

    #expect(before?.hasPrefix("1 1 1 ") == false)
    #expect(try stage.board("weekly").first?.hasPrefix("1 1 1 10") == true)
  }

  @Test func `a canary's run adds up scores and makes no board`() throws {
    let canary = try stage.run(RefreshLeaderboard(), percent: 30)
    let boards = try stage.count("SELECT count(*) FROM learning.leaderboards")
    let whole = try stage.run(RefreshLeaderboard())

    #expect((1..<80).contains(canary.counters["learners"]) && boards == 0)
    #expect(whole.counters["learners"] == 80 && whole.counters["boards"] == 8)
  }

  @Test func `whoever reads during refreshes sees whole boards of one version`() throws {
    _ = try stage.run(RefreshLeaderboard(chunk: ChunkSize(always: 2), stride: 7))
    let database = stage.database
    let reader = TestThread { try Self.look(300, at: database.connect()) }

    for day in 12...20 {
      try stage.pass(.seconds(86_400))
      try stage.addSessions(1...80, each: 2, until: "2026-03-\(day)T03:30:00Z", seed: day)
      _ = try stage.run(RefreshLeaderboard(chunk: ChunkSize(always: 5), stride: 7))
    }

    let seen = try reader.value()
    #expect(seen.isSubset(of: ["8 boards, whole, of 1 version"]))
  }

  /// What readers see of all boards in one statement, again and again: from the first place on, and from the
  /// last mark on.
  private static func look(
    _ times: Int, at connection: consuming Connection
  ) throws -> Set<String> {
    var seen: Set<String> = []
    for _ in 1...times {
      let row = try connection.run(
        """
        SELECT count(*) || ' boards, ' || CASE WHEN bool_and(entries = there AND last = least(there, 1)) THEN 'whole' ELSE 'torn' END
          || ', of ' || count(DISTINCT version) || ' version'
        FROM learning.leaderboards, LATERAL (
          SELECT count(*) AS there FROM learning.leaderboard_places(board, category, 1, entries + 9)
        ) AS places, LATERAL (
          SELECT count(*) AS last FROM learning.leaderboard_places(board, category, entries, entries + 9)
        ) AS end_of_board
        WHERE is_current
        """
      ).only
      seen.insert(try row[0])
    }
    return seen
  }
}
