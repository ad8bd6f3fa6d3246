@testable import JobKit
@testable import Ledger
@testable import Runner
@testable import Jobs

import LocalTime
import Postgres
import TestKit
import TestSupport
import Testing

@Suite("Detect streak breaks")
struct DetectStreakBreaksTests {
  private let stage: Stage

  init() throws {
    stage = try Stage(at: "2026-03-05T03:00:00Z", with: .learning)
  }

  private func run(at instant: String) throws -> RunRecord {
    try stage.turn(to: instant)
    let run = try stage.run(DetectStreakBreaks())
    #expect(run.state == .succeeded, "\(run.reason ?? "")")
    return run
  }

  @Test func `a missed day breaks the streak when the grace of its zone is over`() throws {
    try stage.learner(1, in: "UTC")
    try stage.learner(2, in: "Asia/Seoul")
    for learner in 1...2 { try stage.study(learner, on: "2026-03-03") }

    let seoul = try run(at: "2026-03-04T18:00:00Z")
    let utc = try run(at: "2026-03-05T03:00:00Z")

    #expect(seoul.counters["broken"] == 1 && utc.counters["broken"] == 1)
    #expect(try stage.streak(of: 2) == "none 0")
  }

  @Test func `an offline study of a missed day restores the streak and returns a token, once`()
    throws
  {
    try stage.learner(1, autoRepair: true)
    try stage.hold(tokens: 1, of: 1)
    try stage.study(1, on: "2026-03-02", "2026-03-03")
    let missed = try run(at: "2026-03-05T03:00:00Z")
    let spent = try stage.tokens(of: 1)
    try stage.study(1, "2026-03-04", receivedAt: "2026-03-05T08:00:00Z")
    try stage.study(1, "2026-03-04", receivedAt: "2026-03-05T08:05:00Z")

    let restored = try run(at: "2026-03-05T08:15:00Z")
    let again = try run(at: "2026-03-05T08:30:00Z")

    #expect(missed.counters["repaired"] == 1 && missed.counters["tokens_spent"] == 1)
    #expect(spent == "0 spent:2026-03-04 spent")
    #expect(restored.counters["restored"] == 1 && restored.counters["tokens_returned"] == 1)
    #expect(again.counters["restored"] == 0)
    #expect(try stage.streak(of: 1) == "kept 3 2026-03-02 2026-03-04")
    #expect(
      try stage.tokens(of: 1) == "1 spent:2026-03-04 spent, returned:2026-03-04 returned")
  }

  @Test func `a study that is committed after the run that missed it is seen by the next`()
    throws
  {
    try stage.learner(1)
    try stage.study(1, on: "2026-03-02", "2026-03-03")
    try stage.turn(to: "2026-03-05T03:00:00Z")

    let broken = try stage.database.connect().transaction { app in
      try Stage.study(1, "2026-03-04", receivedAt: "2026-03-05T02:00:00Z", on: app)
      return try stage.run(DetectStreakBreaks())
    }
    let restored = try run(at: "2026-03-05T03:15:00Z")

    #expect(broken.counters["broken"] == 1)
    #expect(restored.counters["restored"] == 1)
    #expect(try stage.streak(of: 1) == "kept 3 2026-03-02 2026-03-04")
  }

  @Test func `a study of weeks ago joins what it belongs to`() throws {
    try stage.learner(1)
    try stage.study(1, on: "2026-02-01", "2026-02-02", "2026-02-04", "2026-02-05", "2026-03-04")
    _ = try run(at: "2026-03-04T12:15:00Z")
    try stage.study(1, "2026-02-03", receivedAt: "2026-03-04T13:00:00Z")

    _ = try run(at: "2026-03-04T13:00:00Z")

    #expect(try stage.streak(of: 1) == "kept 1 2026-03-04 2026-03-04")
    #expect(try stage.count("SELECT longest FROM learning.streaks") == 5)
    #expect(
      try stage.text(
        "SELECT string_agg(concat_ws(' ', started_on, days, kind), '') FROM learning.awards")
        == "2026-02-01 3 title")
  }

  @Test func `a zone that nobody knows is quarantined, in nobody's way, and can be corrected`()
    throws
  {
    try stage.learner(1, in: "Mars/Base")
    try stage.learner(2)
    for learner in 1...2 { try stage.study(learner, on: "2026-03-03", "2026-03-04") }

    let run = try run(at: "2026-03-04T13:00:00Z")
    let quarantined = try stage.text(
      "SELECT string_agg(concat_ws(' ', user_id, source, reason), ',') FROM learning.quarantine")
    let streaks = try stage.text("SELECT string_agg(user_id::text, ',') FROM learning.streaks")
    try stage.connection.run(
      """
      UPDATE learning.users SET zone = 'Asia/Seoul', changed_at = '2026-03-04T14:00Z' WHERE user_id = 1
      """)
    _ = try self.run(at: "2026-03-04T14:00:00Z")

    #expect(run.state == .succeeded && run.counters["quarantined"] == 1)
    #expect(quarantined == "1 users unknown_zone")
    #expect(streaks == "2")
    #expect(try stage.streak(of: 1) == "kept 2 2026-03-03 2026-03-04")
  }

  @Test func `sessions that cannot be are quarantined and count for nothing`() throws {
    try stage.learner(1)
    try stage.study(1, on: "2026-03-02", "2026-03-03", "2026-03-04")
    try stage.connection.run(
      script: """
        UPDATE learning.sessions SET started_at = ended_at + interval '1 hour' WHERE session_id = 1;
        UPDATE learning.sessions SET ended_at = server_received_at + interval '1 hour'
        WHERE session_id = 2;
        """)

    let run = try run(at: "2026-03-04T13:00:00Z")

    #expect(run.counters["quarantined"] == 2)
    #expect(
      try stage.text(
        """
        SELECT string_agg(row_key || ' ' || reason, ', ' ORDER BY row_key) FROM learning.quarantine
        """)
        == "1 ends_before_it_starts, 2 ends_after_it_was_received")
    #expect(try stage.streak(of: 1) == "kept 1 2026-03-04 2026-03-04")
  }

  @Test func `an offer that the learner accepts in the app is repaired by the next run`() throws {
    try stage.learner(1)
    try stage.hold(tokens: 1, of: 1)
    try stage.study(1, on: "2026-03-02", "2026-03-03")
    let offered = try run(at: "2026-03-05T03:00:00Z")
    try stage.connection.run(
      "UPDATE learning.streak_repairs SET state = 'accepted', accepted_at = '2026-03-05T09:00Z'")

    let repaired = try run(at: "2026-03-05T09:00:00Z")

    #expect(offered.counters["repairable"] == 1)
    #expect(repaired.counters["repaired"] == 1 && repaired.counters["tokens_spent"] == 1)
    #expect(try stage.streak(of: 1) == "kept 2 2026-03-02 2026-03-04")
    #expect(try stage.tokens(of: 1) == "0 spent:2026-03-04 spent")
  }

  @Test(arguments: [(false, "withdrawn"), (true, "repaired")])
  func `a missed day is no streak by itself when the sessions before it are deleted`(
    autoRepair: Bool, repair: String
  ) throws {
    try stage.learner(1, autoRepair: autoRepair)
    try stage.hold(tokens: 1, of: 1)
    try stage.study(1, on: "2026-03-02", "2026-03-03")
    _ = try run(at: "2026-03-05T03:00:00Z")
    try stage.connection.run("DELETE FROM learning.sessions")

    let run = try stage.run(DetectStreakBreaks(), arguments: ["full": "true"])

    #expect(run.state == .succeeded, "\(run.reason ?? "")")
    #expect(try stage.streak(of: 1) == "none 0")
    #expect(try stage.text("SELECT state FROM learning.streak_repairs") == repair)
  }

  @Test func `a study from before all that a streak is looked back over joins its chain`() throws {
    try stage.learner(1)
    try stage.study(1, on: "2026-03-03", "2026-03-04", "2026-03-06", "2026-03-07")
    _ = try run(at: "2026-03-08T00:00:00Z")
    // While this job stands still another brings the streak up to date.
    try stage.study(1, on: "2026-03-12")
    try stage.reward(1, 1, key: "a", kind: "bonus", receivedAt: "2026-03-12T12:00:00Z")
    try stage.turn(to: "2026-03-12T12:15:00Z")
    _ = try stage.run(SettleRewards())
    try stage.study(1, "2026-03-05", receivedAt: "2026-03-09T10:00:00Z")

    _ = try run(at: "2026-03-12T12:30:00Z")

    #expect(try stage.streak(of: 1) == "kept 1 2026-03-12 2026-03-12")
    #expect(try stage.text("SELECT longest::text FROM learning.streaks") == "5")
  }

  @Test func `a study that is committed after a later one has begun a chain makes its own longer`()
    throws
  {
    try stage.learner(1)
    for day in 4...9 { try stage.study(1, on: "2026-03-0\(day)") }
    _ = try run(at: "2026-03-13T10:00:00Z")
    let longest = try stage.text("SELECT longest::text FROM learning.streaks")

    try stage.study(1, "2026-03-12", receivedAt: "2026-03-13T10:00:41Z")
    try stage.turn(to: "2026-03-13T10:01:00Z")
    try stage.database.connect().transaction { app in
      try Stage.study(1, "2026-03-10", receivedAt: "2026-03-13T10:00:40Z", on: app)
      try stage.reward(1, 1, key: "a", kind: "bonus", receivedAt: "2026-03-13T10:00:41Z")
      #expect(try stage.run(SettleRewards()).state == .succeeded)
    }
    _ = try run(at: "2026-03-13T10:15:00Z")

    #expect(longest == "6")
    #expect(try stage.streak(of: 1) == "kept 1 2026-03-12 2026-03-12")
    #expect(try stage.text("SELECT longest::text FROM learning.streaks") == "7")
    #expect(try stage.tokens(of: 1) == "1 earned:2026-03-04:7 earned")
  }

  @Test func `a dry run tells a few of those whom it would touch, and touches none`() throws {
    try stage.learner(17)
    try stage.study(17, on: "2026-03-02", "2026-03-03")

    let report = try stage.dryRun(DetectStreakBreaks())

    guard case .succeeded(let outcome) = report.end else {
      Issue.record("\(report.end)")
      return
    }
    #expect(
      outcome.summary == "looked at 1 learner: 1 streak broken, 0 repairable, 0 repaired; 2 changes"
        + " of earlier days replayed")
    #expect(report.progress.examples == ["learner 17: extended on 2026-03-02, 0 -> 1 days"])
    #expect(try stage.count("SELECT count(*) FROM learning.streaks") == 0)
  }
}
