import JobKit
import Ledger
import LocalTime
import Postgres
import Runner
import TestKit
import Testing

@testable import Jobs

@Suite("Schedule the daily push")
struct ScheduleDailyPushTests {
  // 20:50 in Seoul: five minutes before the window of whoever studied at 20:10 the day before.
  private let evening = "2026-03-01T11:50:00Z"

  private func stage(at text: String? = nil) throws -> PushStage {
    let stage = try PushStage(at: text ?? evening)
    try stage.add(1)
    try stage.study(1, 1, end: "2026-02-28T20:10")
    return stage
  }

  @Test func `a reminder is planned with its window, its minute and its text`() throws {
    let stage = try stage()

    let run = try stage.run()

    let row = try stage.stage.connection.run("SELECT * FROM learning.notifications").only
    #expect(run.state == .succeeded && run.counters["planned"] == 1)
    #expect(try row["state", as: String.self] == "planned")
    #expect(try row["window_from", as: Instant.self] == Instant("2026-03-01T11:55:00Z"))
    #expect(try row["window_to", as: Instant.self] == Instant("2026-03-01T12:40:00Z"))
    #expect(try row["evidence_at", as: Instant.self] == Instant("2026-02-28T11:10:00Z"))
    #expect(try row["planned_at", as: Instant.self] == Instant(evening))
    #expect(try row["template", as: String.self] == "basic")
    #expect(try row["locale", as: String.self] == "ko")
    #expect(try row["ended_at", as: Instant?.self] == nil)
  }

  @Test func `before its window begins nothing is decided, and the learner is not looked at again`()
    throws
  {
    let stage = try stage(at: "2026-03-01T03:00:00Z")

    let first = try stage.run()
    let due = try stage.stage.connection.run("SELECT look_at FROM learning.push_agenda").only
    let second = try stage.run(at: "2026-03-01T03:05:00Z")
    let third = try stage.run(at: "2026-03-01T11:50:00Z")

    // What may have been written meanwhile is read again, so a neighbour's open transaction can make it one.
    #expect(try due["look_at", as: Instant.self] > Instant("2026-03-01T11:45:00Z"))
    #expect(first.done == 1 && second.counters == Counters() && third.done == 1)
    #expect(try stage.rows() == ["1 2026-03-01 reminder planned"])
  }

  @Test func `a second run for the same instant writes nothing`() throws {
    let stage = try stage()
    try stage.add(2, zone: "Pacific/Honolulu")
    _ = try stage.run()
    let (content, versions) = try (stage.content(), stage.versions())

    let again = try stage.run()
    let full = try stage.run(["full": "true"])

    #expect(again.counters == Counters() && full.counters == Counters() && full.done == 2)
    #expect(try stage.content() == content)
    #expect(try stage.versions() == versions)
  }

  @Test func `a study of the day is seen by the next run, and takes the place of the reminder`()
    throws
  {
    let stage = try stage()
    _ = try stage.run()
    try stage.study(1, 2, end: "2026-03-01T20:53")

    let run = try stage.run(at: "2026-03-01T11:55:00Z")

    #expect(run.counters["revised"] == 1)
    #expect(try stage.rows() == ["1 2026-03-01 follow_up planned"])
    #expect(
      try stage.stage.count(
        "SELECT count(*) FROM learning.notifications WHERE window_from = '2026-03-01T12:38:00Z'")
        == 1
    )
  }

  @Test(arguments: ["sending", "sent", "opened", "failed", "uncertain", "ignored"])
  func `what was sent, or is being, stays`(state: String) throws {
    let stage = try stage()
    _ = try stage.run()
    try stage.stage.connection.run(
      """
      UPDATE learning.notifications SET state = \(state), reason = 'x',
        sent_at = CASE WHEN \(state) <> 'sending' THEN '2026-03-01T12:00:00Z'::timestamptz END,
        owner = CASE WHEN \(state) = 'sending' THEN 'x' END
      """)
    try stage.study(1, 2, end: "2026-03-01T20:53")
    try stage.stage.connection.run("UPDATE learning.users SET changed_at = '2026-03-01T11:54:00Z'")
    let before = try stage.text()

    _ = try stage.run(at: "2026-03-01T11:55:00Z")

    #expect(try stage.text() == before)
  }

  @Test func `a learner who opts out is decided anew at once, and back again`() throws {
    let stage = try stage()
    _ = try stage.run()
    try stage.stage.connection.run(
      "UPDATE learning.users SET push_opt_in = false, changed_at = '2026-03-01T11:54:00Z'")
    _ = try stage.run(at: "2026-03-01T11:55:00Z")
    let out = try stage.rows()
    try stage.stage.connection.run(
      "UPDATE learning.users SET push_opt_in = true, changed_at = '2026-03-01T11:57:00Z'")

    _ = try stage.run(at: "2026-03-01T12:00:00Z")

    #expect(out == ["1 2026-03-01 reminder suppressed opted_out"])
    #expect(try stage.rows() == ["1 2026-03-01 reminder planned"])
    #expect(
      try stage.stage.count(
        "SELECT count(*) FROM learning.notifications WHERE reason IS NULL AND ended_at IS NULL")
        == 1)
  }

  @Test func `a device that is registered within the window brings the push back`() throws {
    let stage = try stage()
    try stage.stage.connection.run("DELETE FROM learning.devices")
    _ = try stage.run()
    let without = try stage.rows()
    try stage.stage.connection.run(
      """
      INSERT INTO learning.devices (user_id, device_id, provider, token, registered_at)
      VALUES (1, 2, 'fcm', 'new', '2026-03-01T11:53:00Z')
      """)

    _ = try stage.run(at: "2026-03-01T11:55:00Z")

    #expect(without == ["1 2026-03-01 reminder suppressed no_device"])
    #expect(try stage.rows() == ["1 2026-03-01 reminder planned"])
  }

  @Test func `what is received after the run's moment is not seen`() throws {
    let stage = try stage()
    try stage.study(1, 2, end: "2026-03-01T20:00", received: "2026-03-01T11:50:00.000001Z")

    _ = try stage.run()

    #expect(try stage.rows() == ["1 2026-03-01 reminder planned"])
  }

  @Test func `a run for an earlier moment than the last one turns nothing back`() throws {
    let stage = try stage()
    _ = try stage.run()
    let before = try stage.content()

    let late = try stage.run(late: "2026-03-01T11:45:00Z")

    #expect(late.state == .succeeded && late.counters == Counters())
    #expect(try stage.content() == before)
  }

  @Test func `a learner whom a later run has looked at is let alone`() throws {
    let stage = try stage()
    _ = try stage.run()
    try stage.stage.connection.run(
      "UPDATE learning.push_agenda SET looked_at = '2026-03-01T12:00:00Z'")
    let before = try stage.content()
    try stage.study(1, 2, end: "2026-03-01T20:51")

    let earlier = try stage.run(at: "2026-03-01T11:55:00Z")

    #expect(earlier.done == 1 && earlier.counters == Counters())
    #expect(try stage.content() == before)
  }

  @Test func `a late run expires what it would have sent late`() throws {
    let stage = try stage(at: "2026-03-01T12:40:00Z")

    let run = try stage.run()

    #expect(try stage.rows() == ["1 2026-03-01 reminder expired window_passed"])
    #expect(run.counters["expired"] == 1 && run.counters["expired/window_passed"] == 1)
  }

  @Test func `a session that commits late is seen, although its moment has passed`() throws {
    let stage = try stage(at: "2026-03-01T09:00:00Z")
    _ = try stage.run()
    try stage.study(1, 2, end: "2026-03-01T17:58", received: "2026-03-01T08:59:00Z")

    _ = try stage.run(at: "2026-03-01T09:40:00Z")

    #expect(try stage.rows() == ["1 2026-03-01 follow_up planned"])
  }

  @Test func `a dry run shows samples and writes nothing`() throws {
    let stage = try stage()

    let report = try stage.stage.dryRun(stage.job)

    #expect(report.planned == 1)
    #expect(
      report.description.contains("looked at 1 learner, planned 1 push, decided against 0"))
    let example = try #require(report.progress.examples.first)
    #expect(
      example.wholeMatch(
        of: /learner 1: a reminder on 2026-03-01 at \d\d:\d\d in Asia\/Seoul \(\w+\)/) != nil)
    #expect(try stage.rows().isEmpty)
  }

  @Test func `its past is never run again`() throws {
    let scheduled = try ScheduledJob(
      of: ScheduleDailyPush().definition, in: stage().stage.zones)

    let error = #expect(throws: BackfillError.self) {
      try Backfill(
        of: scheduled, from: Instant("2026-02-28T00:00:00Z"), to: Instant("2026-03-01T00:00:00Z"),
        reprocess: .missing, by: "ana")
    }

    #expect(
      error?.description
        == "'schedule_daily_push' is never backfilled: its next run does what missed ones would have done,"
        + " or it would be too late for them; nothing was entered")
  }
}

extension PushStage {
  /// The one notification there is, as text.
  fileprivate func text() throws -> String {
    try stage.text("SELECT row::text FROM learning.notifications AS row")
  }
}
