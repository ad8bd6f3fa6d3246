import JobKit
import Ledger
import LocalTime
import Postgres
import TestKit
import Testing

@testable import Jobs

@Suite("A run of the push planner over many learners")
struct PushPlanningScanTests {
  private let evening = "2026-03-01T11:50:00Z"

  /// Learners in many zones, with and without habits.
  private func world(of learners: [Int] = Array(1...40), chunk: Int = 2000) throws -> PushStage {
    let stage = try PushStage(at: evening, chunk: chunk)
    let zones = [
      "Asia/Seoul", "America/New_York", "Europe/Berlin", "Pacific/Auckland", "Asia/Kolkata",
    ]
    for user in learners {
      let zone = zones[user % zones.count]
      try stage.add(user, zone: zone)
      guard user % 4 != 0 else { continue }
      try stage.study(user, 1, end: "2026-02-27T\(10 + user % 12):10", zone: zone)
      try stage.study(user, 2, end: "2026-02-28T\(10 + user % 12):30", zone: zone)
    }
    return stage
  }

  @Test func `in pieces, in parts or at once it comes to the same rows`() throws {
    let (once, pieces) = try (world(of: scattered(80)), world(of: scattered(80), chunk: 3))
    let parts = try world(of: scattered(80), chunk: 5)

    let whole = try once.run()
    _ = try pieces.run()
    let cut = try parts.run(parts: 4)

    #expect(
      whole.done == 80 && whole.total == 80 && cut.done == 80 && cut.counters == whole.counters)
    #expect(whole.counters["planned"] + whole.counters["expired"] > 3)
    #expect(try pieces.content() == once.content())
    #expect(try parts.content() == once.content())
  }

  @Test func `the plan counts whom all parts look at, and of a canary its share`() throws {
    let stage = try world(of: scattered(80))
    try stage.stage.awaitNeighbours()

    let canary = try stage.run(parts: 2, percent: 50)
    let first = try stage.run(parts: 4)
    stage.stage.clock.turn(to: try Instant(evening).advanced(bySeconds: 6 * 3600))
    let later = try stage.run(parts: 4)

    #expect(canary.planned == canary.done && (1..<80).contains(canary.done))
    #expect(first.planned == 80 && first.done == 80)
    #expect(later.planned == later.done && (1..<80).contains(later.done))
  }

  @Test func `day by day it comes to what a full recompute would leave as it is`() throws {
    let stage = try world(chunk: 7)
    for hour in 0..<30 {
      _ = try stage.run(at: Instant(evening).advanced(bySeconds: 3600 * hour).description)
    }
    let content = try stage.content(withLooks: false)

    let full = try stage.run(["full": "true"])

    #expect(full.counters == Counters() && full.done == 40)
    #expect(try stage.content(withLooks: false) == content)
    #expect(
      try stage.stage.count("SELECT count(DISTINCT user_id) FROM learning.notifications") == 40)
  }

  @Test
  func `a run that is broken off goes on behind its last chunk, and loses nothing in between`()
    throws
  {
    let stage = try PushStage(at: evening, chunk: 1)
    for user in 1...3 {
      try stage.add(user)
      try stage.study(user, 1, end: "2026-02-28T20:10")
    }
    _ = try stage.run(late: "2026-03-01T03:00:00Z")
    try stage.failAt(user: 2)
    let broken = try stage.run()
    let before = try stage.rows()
    // Received long ago, committed only now: learner 1 has been passed.
    try stage.study(1, 2, end: "2026-03-01T20:20", received: "2026-03-01T11:30:00Z")
    try stage.stage.connection.run("DROP TRIGGER fail ON learning.notifications")

    try stage.stage.pass(.seconds(60))
    try stage.stage.goOn(with: stage.job)
    let after = try stage.rows()
    _ = try stage.run(at: "2026-03-01T11:55:00Z")

    #expect(broken.state == .running && before == ["1 2026-03-01 reminder planned"])
    #expect(try stage.stage.record(of: broken.id).counters["planned"] == 3)
    #expect(after == (1...3).map { "\($0) 2026-03-01 reminder planned" })
    #expect(try stage.rows().first == "1 2026-03-01 follow_up planned")
  }

  @Test func `a canary decides for its share, and leaves nobody else behind`() throws {
    let stage = try world()

    let canary = try stage.run(parts: 1, percent: 20)
    let all = try stage.run()

    #expect((1..<30).contains(canary.done))
    #expect(all.done == 40)
    #expect(
      try stage.content()
        == {
          let once = try world(); _ = try once.run(); return try once.content()
        }())
  }

  @Test func `rows that cannot be are put aside and explained, and are in nobody's way`() throws {
    let stage = try PushStage(at: evening)
    for user in 1...3 {
      try stage.add(user)
      try stage.study(user, 1, end: "2026-02-28T20:10")
    }
    try stage.stage.connection.run(
      "UPDATE learning.users SET zone = 'Mars/Olympus' WHERE user_id = 2")
    try stage.study(3, 2, end: "2026-03-01T20:00", received: "2026-03-01T10:00:00Z")

    let run = try stage.run()
    let again = try stage.run()

    #expect(
      try stage.rows() == ["1 2026-03-01 reminder planned", "3 2026-03-01 reminder planned"])
    #expect(run.counters["quarantined"] == 2 && again.counters["quarantined"] == 0)
    #expect(
      try stage.stage.text(
        """
        SELECT string_agg(concat_ws(' ', user_id, source, row_key, reason, found_by), ', ' ORDER BY user_id)
        FROM learning.quarantine
        """)
        == "2 users  unknown_zone schedule_daily_push,"
        + " 3 sessions 2 ends_after_it_was_received schedule_daily_push")
  }

  @Test func `who moves to a zone that nobody knows gets nothing, until it is corrected`() throws {
    let stage = try PushStage(at: evening)
    try stage.add(1)
    try stage.study(1, 1, end: "2026-02-28T20:10")
    _ = try stage.run()
    try stage.move(1, to: "Mars/Olympus", at: "2026-03-01T11:52:00Z")
    let lost = try stage.run(at: "2026-03-01T11:55:00Z")
    let rows = try stage.rows()
    let idle = try stage.run(at: "2026-03-03T12:00:00Z")
    try stage.move(1, to: "Asia/Tokyo", at: "2026-03-03T12:01:00Z")

    _ = try stage.run(at: "2026-03-03T12:05:00Z")

    #expect(lost.counters["suppressed/unknown_zone"] == 1 && idle.counters == Counters())
    #expect(rows == ["1 2026-03-01 reminder suppressed unknown_zone"])
    #expect(try stage.rows().last == "1 2026-03-03 reminder planned")
  }
}

extension PushStage {
  /// Makes every row of a learner fail to be written.
  fileprivate func failAt(user: Int) throws {
    try stage.connection.run(
      script: """
        CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN RAISE 'a mishap'; END $$;
        CREATE TRIGGER fail BEFORE INSERT ON learning.notifications
          FOR EACH ROW WHEN (NEW.user_id = \(user)) EXECUTE FUNCTION fail();
        """)
  }

  fileprivate func move(_ user: Int, to zone: String, at text: String) throws {
    try stage.connection.run(
      """
      UPDATE learning.users SET zone = \(zone), changed_at = \(Instant(text)) WHERE user_id = \(user)
      """)
  }
}
