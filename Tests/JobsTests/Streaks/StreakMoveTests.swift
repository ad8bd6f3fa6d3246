@testable import JobKit
@testable import Ledger
@testable import Jobs

import LocalTime
import Postgres
import TestKit
import TestSupport
import Testing

/// The learner studies on Monday, 2 March, at 22:00 in Los Angeles, which in Seoul is Tuesday already.
@Suite("What is written of learners who fly")
struct StreakMoveTests {
  private let stage: Stage

  init() throws {
    stage = try Stage(at: "2026-03-03T06:15:00Z", with: .learning)
    try stage.learner(1, in: "America/Los_Angeles")
    try stage.study(1, "2026-03-02", endingAt: "2026-03-03T06:00:00Z")
  }

  private func run(at instant: String) throws -> RunRecord {
    try stage.turn(to: instant)
    let run = try stage.run(DetectStreakBreaks())
    #expect(run.state == .succeeded, "\(run.reason ?? "")")
    return run
  }

  /// Lets the learner land in Seoul, after a run and before another.
  private func land() throws {
    _ = try run(at: "2026-03-03T06:15:00Z")
    try stage.move(1, to: "Asia/Seoul", at: "2026-03-04T01:00:00Z")
    _ = try run(at: "2026-03-04T01:15:00Z")
  }

  private func home() throws -> String {
    try stage.text(
      """
      SELECT concat_ws(' ', zone, zone_before, to_char(moved_at AT TIME ZONE 'UTC', 'MM-DD HH24:MI'))
      FROM learning.users
      """)
  }

  private func lines(on day: String? = nil) throws -> [String] {
    try DetectStreakBreaks().explain(
      1, on: day.map { try CivilDate($0) }, at: stage.now, in: stage.zones, stage.connection
    ).lines
  }

  @Test func `a row whose zone changes says where from and when, over a layover where it began`()
    throws
  {
    let before = try home()
    try stage.move(1, to: "Asia/Tokyo", at: "2026-03-04T01:00:00Z")
    let away = try home()
    try stage.move(1, to: "Asia/Seoul", at: "2026-03-05T23:00:00Z")
    let there = try home()
    try stage.move(1, to: "Asia/Seoul", at: "2026-03-08T01:00:00Z")
    let still = try home()
    try stage.move(1, to: "Europe/Paris", at: "2026-03-09T01:00:00Z")

    #expect(before == "America/Los_Angeles")
    #expect(away == "Asia/Tokyo America/Los_Angeles 03-04 01:00")
    #expect(there == "Asia/Seoul America/Los_Angeles 03-05 23:00" && still == there)
    #expect(try home() == "Europe/Paris Asia/Seoul 03-09 01:00")
  }

  @Test func `a skipped day is written down once, with an event, also of who never held a token`()
    throws
  {
    try land()
    let checkAt = try stage.text(
      "SELECT to_char(check_at AT TIME ZONE 'UTC', 'MM-DD HH24:MI') FROM learning.streaks")

    let skipped = try run(at: "2026-03-04T11:00:00Z")
    let digest = try stage.streakDigest()
    let again = try run(at: "2026-03-04T11:15:00Z")
    let full = try stage.run(DetectStreakBreaks(), arguments: ["full": "true"])

    #expect(checkAt == "03-04 11:00")
    #expect(skipped.counters["travelled"] == 1)
    #expect(again.counters["travelled"] == 0 && full.counters["travelled"] == 0)
    #expect(full.done == 1)
    #expect(try stage.streakDigest() == digest)
    #expect(try stage.streak(of: 1) == "kept 1 2026-03-02 2026-03-03")
    #expect(
      try stage.text(
        """
        SELECT string_agg(concat_ws(' ', event, day, cause), ', ' ORDER BY number)
        FROM learning.streak_events
        """) == "extended 2026-03-02 studied, travelled 2026-03-03 moved_east")
    #expect(
      try stage.text(
        """
        SELECT concat_ws(' ', day, state, offered_at = ended_at, accepted_at)
        FROM learning.streak_repairs
        """) == "2026-03-03 travelled t")
  }

  @Test func `a study of the day after it joins the chain`() throws {
    try land()
    _ = try run(at: "2026-03-04T11:00:00Z")
    try stage.study(1, "2026-03-04", endingAt: "2026-03-04T12:00:00Z")

    _ = try run(at: "2026-03-04T12:15:00Z")

    #expect(try stage.streak(of: 1) == "kept 2 2026-03-02 2026-03-04")
    #expect(try stage.count("SELECT count(*) FROM learning.token_entries") == 0)
  }

  @Test func `a zone that nobody knows is no place to have come from`() throws {
    try stage.move(1, to: "Mars/Base", at: "2026-03-03T12:00:00Z")
    try stage.connection.run("UPDATE learning.users SET moved_at = '2026-02-01Z'")
    try stage.move(1, to: "Asia/Seoul", at: "2026-03-03T13:00:00Z")

    let run = try run(at: "2026-03-04T01:15:00Z")

    #expect(try home() == "Asia/Seoul Mars/Base 03-03 13:00")
    #expect(run.counters["travelled"] == 0)
    #expect(try stage.streak(of: 1) == "none 0")
  }

  @Test func `why a streak goes on over a day is told, before it is and after`() throws {
    try land()

    let waiting = try lines(on: "2026-03-03")
    _ = try run(at: "2026-03-04T11:00:00Z")

    #expect(
      waiting.starts(with: [
        "a streak of 1 days, from 2026-03-02 through 2026-03-02; the longest was 1",
        "it is kept until 2026-03-04T20:00:00+09:00 (Asia/Seoul): then 2026-03-03 is skipped by the"
          + " move unless studied",
        "2026-03-03 is not studied yet: it is over at 2026-03-04T11:00:00Z",
      ]))
    #expect(
      try lines(on: "2026-03-03") == [
        "a streak of 1 days, from 2026-03-02 through 2026-03-03, 1 of the days in it skipped by a"
          + " move; the longest was 1",
        "it is kept until 2026-03-05T03:00:00+09:00 (Asia/Seoul): then 2026-03-04 is missed unless"
          + " studied",
        "2026-03-03 was not studied, but skipped by a move: that is known since"
          + " 2026-03-04T11:00:00Z",
        "0 of 3 brain tokens held",
        "2026-03-04T11:00:00Z: travelled on 2026-03-03, as the learner moved, and by the calendar of"
          + " one of the zones missed no day (1 -> 1 days)",
      ])
  }
}
