import JobKit
import Ledger
import LocalTime
import Postgres
import Runner
import TestKit
import TestSupport
import Testing

@testable import Jobs

@Suite("Refresh widget snapshots")
struct RefreshWidgetSnapshotsTests {
  private let stage: Stage

  init() throws {
    stage = try Stage(at: "2026-03-10T12:00:00Z", with: .learning)
  }

  /// What each widget shows, as `user day sentences streak tokens`.
  private func shown() throws -> [String] {
    try stage.connection.run(
      """
      SELECT concat_ws(' ', user_id, local_day, sentences_remaining, streak, tokens)
      FROM learning.widget_snapshots ORDER BY user_id
      """
    ).map { try $0[0] }
  }

  private func keep(_ length: Int, of user: Int, on connection: borrowing Connection) throws {
    try connection.run(
      """
      INSERT INTO learning.streaks
        (user_id, state, length, longest, started_on, last_day, changed_at)
      VALUES (\(user), 'kept', \(length), \(length), '2026-03-01', '2026-03-10', '2026-03-01Z')
      ON CONFLICT (user_id) DO UPDATE SET length = excluded.length, longest = excluded.longest
      """)
  }

  @Test func `a widget shows what is left of today's sentences, the streak and the tokens`() throws
  {
    try stage.addLearner(1)
    try stage.addLearner(2)
    try stage.addLearner(3)
    try stage.score(1, 1, at: "2026-03-10T10:00:00Z", on: "2026-03-10")
    try stage.score(1, 2, at: "2026-03-10T11:00:00Z", on: "2026-03-10")
    try stage.score(1, 3, at: "2026-03-09T11:00:00Z", on: "2026-03-09")
    for number in 1...5 { try stage.score(2, number, at: "2026-03-10T10:00:00Z", on: "2026-03-10") }
    try keep(4, of: 1, on: stage.connection)
    try stage.connection.run("INSERT INTO learning.brain_tokens VALUES (1, 2)")

    let run = try stage.run(RefreshWidgetSnapshots())

    #expect(try shown() == ["1 2026-03-10 6 4 2", "2 2026-03-10 0 0 0", "3 2026-03-10 12 0 0"])
    #expect(run.counters["snapshots_changed"] == 3)
  }

  @Test func `only what shows something else is written`() throws {
    try stage.addLearner(1)
    try stage.addLearner(2)
    _ = try stage.run(RefreshWidgetSnapshots())
    try stage.pass(.seconds(300))
    try stage.score(1, 1, at: "2026-03-10T12:04:00Z", on: "2026-03-09")
    try stage.score(2, 1, at: "2026-03-10T12:04:00Z", on: "2026-03-10")

    let run = try stage.run(RefreshWidgetSnapshots())
    let full = try stage.run(RefreshWidgetSnapshots(), arguments: ["full": "true"])

    #expect(run.counters["snapshots_changed"] == 1 && full.counters["snapshots_changed"] == 0)
    #expect(try shown() == ["1 2026-03-10 12 0 0", "2 2026-03-10 9 0 0"])
    #expect(
      try stage.text(
        """
        SELECT string_agg(to_char(updated_at AT TIME ZONE 'UTC', 'HH24:MI'), ' ' ORDER BY user_id)
        FROM learning.widget_snapshots
        """) == "12:00 12:05")
  }

  @Test func `a dry run tells what some widgets would show`() throws {
    try stage.addLearner(1)
    try stage.score(1, 1, at: "2026-03-10T10:00:00Z", on: "2026-03-10")
    try keep(4, of: 1, on: stage.connection)

    let report = try stage.dryRun(RefreshWidgetSnapshots())

    #expect(
      report.progress.examples == [
        "learner 1: would see 2026-03-10, 9 sentences remaining, a streak of 4, 0 tokens"
      ])
    #expect(try shown() == [])
  }

  @Test func `where a local day begins, widgets turn to it, and nowhere else`() throws {
    try stage.addLearner(1, zone: "Asia/Seoul")
    try stage.addLearner(2, zone: "Asia/Kathmandu")
    try stage.addLearner(3, zone: "America/New_York")
    try stage.score(1, 1, at: "2026-03-10T10:00:00Z", on: "2026-03-10")
    try stage.connection.run(
      "UPDATE learning.users SET changed_at = '2026-01-01Z', zone = zone")
    _ = try stage.run(RefreshWidgetSnapshots())

    try stage.pass(.seconds(3 * 3600))
    let seoul = try stage.run(RefreshWidgetSnapshots())
    let then = try shown()
    try stage.pass(.seconds(3 * 3600 + 900))
    let kathmandu = try stage.run(RefreshWidgetSnapshots())

    #expect(seoul.counters["snapshots_changed"] == 1)
    #expect(then == ["1 2026-03-11 12 0 0", "2 2026-03-10 12 0 0", "3 2026-03-10 12 0 0"])
    #expect(kathmandu.counters["snapshots_changed"] == 1)
    #expect(try shown()[1] == "2 2026-03-11 12 0 0")
  }

  @Test func `a streak or a token that changes is seen, whenever it says it did`() throws {
    try stage.addLearner(1)
    _ = try stage.run(RefreshWidgetSnapshots())
    try stage.pass(.seconds(300))

    try keep(7, of: 1, on: stage.connection)
    _ = try stage.run(RefreshWidgetSnapshots())
    let streak = try shown()
    try stage.connection.run("INSERT INTO learning.brain_tokens VALUES (1, 1)")
    try stage.pass(.seconds(300))
    _ = try stage.run(RefreshWidgetSnapshots())
    try stage.connection.run("UPDATE learning.brain_tokens SET balance = 3")
    try stage.pass(.seconds(300))
    _ = try stage.run(RefreshWidgetSnapshots())

    #expect(streak == ["1 2026-03-10 12 7 0"])
    #expect(try shown() == ["1 2026-03-10 12 7 3"])
    #expect(try stage.count("SELECT count(*) FROM learning.widget_changes") == 0)
  }

  @Test func `a streak that is being changed while widgets are looked at is waited for`() throws {
    try stage.addLearner(1)
    try keep(1, of: 1, on: stage.connection)
    let other = try stage.database.connect()
    try other.run("BEGIN")
    try keep(2, of: 1, on: other)

    let renewed = try refreshed([1]) { try other.run("COMMIT") }

    #expect(renewed == 1)
    #expect(try shown() == ["1 2026-03-10 12 2 0"])
  }

  @Test func `a widget that another run makes at the same time shows what the later one found`()
    throws
  {
    for id in [1, 2] { try stage.addLearner(id) }
    try keep(2, of: 1, on: stage.connection)
    let other = try openInsert(of: 1)

    let renewed = try refreshed([1, 2]) { try other.run("COMMIT") }

    #expect(renewed == 2)
    #expect(try shown() == ["1 2026-03-10 12 2 0", "2 2026-03-10 12 0 0"])
  }

  @Test func `widgets that two other runs make one after the other show what the last run found`()
    throws
  {
    for id in [1, 2] { try stage.addLearner(id) }
    let first = try openInsert(of: 1)
    let second = try openInsert(of: 2)

    let renewed = try refreshed([1, 2]) {
      try first.run("COMMIT")
      try untilSomebodyWaits(for: second)
      try second.run("COMMIT")
    }

    #expect(renewed == 2)
    #expect(try shown() == ["1 2026-03-10 12 0 0", "2 2026-03-10 12 0 0"])
  }

  /// A transaction that has inserted a widget of yesterday and is not over.
  private func openInsert(of user: Int) throws -> Connection {
    let other = try stage.database.connect()
    try other.run("BEGIN")
    try other.run(
      """
      INSERT INTO learning.widget_snapshots
      VALUES (\(user), '2026-03-09', 0, 1, 0, '2026-03-10T11:00:00Z')
      """)
    return other
  }

  private func untilSomebodyWaits(for other: borrowing Connection) throws {
    let process: Int = try other.run("SELECT pg_backend_pid()::bigint").only[0]
    try eventually {
      try stage.count(
        "SELECT count(*) FROM pg_stat_activity WHERE \(process)::integer = ANY (pg_blocking_pids(pid))"
      ) > 0
    }
  }

  /// How many widgets show something else after a look that has to wait until `others` are done.
  private func refreshed(_ ids: [Int], after others: () throws -> Void) throws -> Int {
    let (database, zones, now) = (stage.database, stage.zones, try stage.now)
    let refresh = TestThread { () throws -> Int in
      let snapshots = WidgetSnapshots(
        asOf: now, zones: try ZoneTable(of: zones, at: now), rules: WidgetRules())
      return try database.connect().transaction { connection in
        try snapshots.refresh(ids, by: "refresh_widget_snapshots", on: connection).snapshots
      }
    }
    try eventually {
      try stage.count("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'") > 0
    }
    try others()
    return try refresh.value()
  }

  @Test func `who flies sees the day and the sentences of where they are`() throws {
    try stage.addLearner(1, zone: "Pacific/Auckland")
    try stage.score(1, 1, at: "2026-03-10T11:30:00Z", on: "2026-03-11")
    _ = try stage.run(RefreshWidgetSnapshots())
    let inAuckland = try shown()
    try stage.connection.run(
      "UPDATE learning.users SET zone = 'Pacific/Honolulu', changed_at = '2026-03-10T12:01:00Z'")

    try stage.pass(.seconds(300))
    _ = try stage.run(RefreshWidgetSnapshots())

    #expect(inAuckland == ["1 2026-03-11 9 0 0"])
    #expect(try shown() == ["1 2026-03-10 12 0 0"])
  }

  @Test func `a learner whose zone nobody knows has no widget, and is in nobody's way`() throws {
    try stage.addLearner(1, zone: "Mars/Olympus")
    try stage.addLearner(2)

    let run = try stage.run(RefreshWidgetSnapshots())

    #expect(try shown() == ["2 2026-03-10 12 0 0"])
    #expect(run.state == .succeeded && run.counters["quarantined"] == 1)
    #expect(
      try stage.text("SELECT concat_ws(' ', user_id, source, reason) FROM learning.quarantine")
        == "1 users unknown_zone")
  }
}
