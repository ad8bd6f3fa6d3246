import JobKit
import Ledger
import LocalTime
import Postgres
import Runner
import TestKit
import Testing

@testable import Jobs

@Suite("Purge of old rows")
struct PurgeExpiredTests {
  private let stage: Stage

  init() throws {
    stage = try Stage(at: "2027-06-01T02:50:00Z", with: .learning)
    for learner in 1...3 { try stage.addLearner(learner) }
  }

  /// A push of a day, in a state, with an event of it.
  private func push(_ learner: Int, _ day: String, _ state: String, ended: Bool) throws {
    try stage.connection.run(
      """
      INSERT INTO learning.notifications
        (user_id, local_day, state, reason, kind, zone, window_from, window_to, due_at, template,
         planned_at, owner, sent_at, ended_at)
      SELECT \(learner), at::date, \(state), 'why', 'reminder', 'UTC', at, at + '1h'::interval, at,
        'basic', at, CASE \(state) WHEN 'sending' THEN '1/0' END,
        CASE WHEN \(state) IN ('sent', 'opened', 'ignored', 'uncertain') THEN at END,
        CASE WHEN \(ended) THEN at END
      FROM (SELECT \(day)::timestamp AT TIME ZONE 'UTC' AS at) AS day
      """)
    try event(learner, day)
  }

  private func event(_ learner: Int, _ day: String) throws {
    try stage.connection.run(
      """
      INSERT INTO learning.notification_events (user_id, local_day, event, at)
      VALUES (\(learner), \(day)::date, 'push_opened', \(day)::timestamp AT TIME ZONE 'UTC')
      """)
  }

  private func review(_ learner: Int, _ day: String) throws {
    try stage.connection.run(
      """
      INSERT INTO learning.reviews
        (user_id, local_day, rank, pattern_id, difficulty, sentences, locked, conquest, at)
      VALUES (\(learner), \(day)::date, 1, 1, 'basic', 5, false, 0.5, '2026-01-01Z')
      """)
  }

  /// The rows of a table, as `learner day`.
  private func left(in table: String) throws -> [String] {
    try stage.connection.run(
      "SELECT user_id || ' ' || local_day FROM learning.\(identifier: table) ORDER BY 1"
    ).map { try $0[0] }
  }

  @Test func `a push goes with its events after 400 days, and a review after 120`() throws {
    // The 400 days before T begin on 27 April, and one more day is kept.
    for day in ["2026-04-25", "2026-04-26"] { try push(1, day, "ignored", ended: true) }
    for day in ["2027-01-30", "2027-01-31"] { try review(2, day) }

    let run = try stage.run(PurgeExpired())

    #expect(run.state == .succeeded && run.counters["pushes"] == 1 && run.counters["reviews"] == 1)
    #expect(try left(in: "notifications") == ["1 2026-04-26"])
    #expect(try left(in: "notification_events") == ["1 2026-04-26"])
    #expect(try left(in: "reviews") == ["2 2027-01-31"])
  }

  @Test(arguments: [
    ("planned", false, 1), ("sending", false, 1), ("sent", false, 1), ("uncertain", false, 1),
    ("suppressed", false, 0), ("expired", false, 0), ("failed", false, 0), ("opened", true, 0),
    ("ignored", true, 0), ("uncertain", true, 0),
  ])
  func `what is not over stays, however old it is, and so does what happened to it`(
    state: String, ended: Bool, stays: Int
  ) throws {
    try push(1, "2020-01-01", state, ended: ended)

    _ = try stage.run(PurgeExpired())

    #expect(try left(in: "notifications").count == stays)
    #expect(try left(in: "notification_events").count == stays)
  }

  @Test func `an event of a day without a push goes as pushes do`() throws {
    try event(1, "2020-01-01")
    try event(1, "2027-05-01")

    _ = try stage.run(PurgeExpired())

    #expect(try left(in: "notification_events") == ["1 2027-05-01"])
  }

  @Test func `parts and chunks share the learners, and a second run finds nothing`() throws {
    let learners = scattered(20)
    for learner in learners where learner > 3 { try stage.addLearner(learner) }
    for learner in learners { try push(learner, "2020-01-01", "opened", ended: true) }
    let job = InParts(3, of: PurgeExpired(chunk: ChunkSize(always: 1)))

    let first = try stage.run(job)
    let second = try stage.run(job)

    #expect(first.counters["pushes"] == 20 && second.counters["pushes"] == 0)
    #expect(try left(in: "notifications") == [])
  }

  @Test func `what the settings keep for longer stays`() throws {
    var rules = PurgeRules()
    (rules.pushes, rules.reviews) = (.seconds(3660 * 86_400), .seconds(3660 * 86_400))
    try push(1, "2020-01-01", "opened", ended: true)
    try review(1, "2020-01-01")

    let run = try stage.run(PurgeExpired(rules: rules))

    #expect(run.counters["pushes"] == 0 && run.counters["reviews"] == 0)
  }

  @Test func `a dry run counts and names them, and deletes none`() throws {
    try push(2, "2020-01-01", "opened", ended: true)
    try review(2, "2020-01-01")

    let report = try stage.dryRun(PurgeExpired())

    #expect(report.planned == 2 && report.progress.done == 2)
    #expect(report.progress.examples == ["learner 2, push of 2020-01-01: would be deleted"])
    #expect(try left(in: "notifications").count == 1)
  }

  @Test func `the plan asks the index for the old rows of each learner alone`() throws {
    let expired = ExpiredRows(at: try stage.now, by: PurgeRules())

    let plan = try stage.connection.transaction { connection in
      try connection.run(PlanSettings.byIndex)
      return try stage.plan(of: expired.count(of: "true"))
    }

    #expect(plan.contains("Index Cond: ((user_id = users.user_id) AND (local_day <"), "\(plan)")
  }

  @Test func `why tells how much of a learner can go, and from before which days`() throws {
    try push(1, "2026-01-01", "opened", ended: true)
    try review(1, "2026-01-01")
    let job = PurgeExpired()

    let now = try job.explain(1, on: nil, at: stage.now, in: stage.zones, stage.connection)
    let then = try job.explain(
      1, on: CivilDate("2027-01-01"), at: stage.now, in: stage.zones, stage.connection)

    #expect(
      now.lines == [
        "1 push that ended before 2026-04-26 can go", "1 review from before 2027-01-31 can go",
      ])
    #expect(then.lines.first == "0 pushes that ended before 2025-11-26 can go")
    #expect(throws: UnknownLearner(9)) {
      try job.explain(9, on: nil, at: stage.now, in: stage.zones, stage.connection)
    }
  }

  @Test func `the report tells how many of each were deleted`() throws {
    var counted = Counters()
    counted.count("pushes", 7)

    let report = try PurgeExpired().report(
      on: stage.now..<stage.now, counted: counted, at: stage.now, stage.connection)

    let numbers: [LearnerReport.Number] = [
      .init(7, "pushes deleted"), .init(0, "reviews deleted"),
    ]
    #expect(report == LearnerReport("Old rows", numbers))
  }
}
