import Config
import JobKit
import LocalTime
import Postgres
import TestKit
import Testing

@testable import Jobs

@Suite("Why a learner gets a push, or none")
struct PushExplanationTests {
  private let stage: PushStage

  init() throws {
    stage = try PushStage(at: "2026-03-01T03:00:00Z")
    try stage.add(1)
    try stage.study(1, 1, end: "2026-02-28T21:00")
  }

  private func explain(_ user: Int = 1, on day: String? = nil) throws -> LearnerExplanation {
    try stage.job.explain(
      user, on: day.map { try CivilDate($0) }, at: stage.stage.now, in: stage.stage.zones,
      stage.stage.connection)
  }

  private func lines(on day: String? = nil) throws -> [String] { try explain(on: day).lines }

  @Test func `of today it tells the window, how it was cut, the minute and the texts`() throws {
    let lines = try lines()

    #expect(
      lines.filter { !$0.hasPrefix("its minute") } == [
        "learner 1 on 2026-03-01, in the times of Asia/Seoul, where it is 2026-03-01 12:00 now",
        "nothing is decided yet; by what is known now:",
        "it would go out, and is decided when its window begins",
        "a reminder at the hour of earlier studies: the latest study ended at 21:00 of an earlier day,"
          + " so its window is 21:45 to 22:30",
        "quiet hours are 22:00 to 07:00",
        "the day's ends and quiet hours leave 21:45 to 22:00 of it",
        "its text would be 'basic'",
        "not 'streak': there is no streak to lose",
        "not 'pattern': no review is open for the day or the days before it",
        "not 'encourage': the last study was a day ago",
      ])
    #expect(lines.count { $0.hasPrefix("its minute would be 21:") } == 1)
  }

  @Test func `it says what would happen in the job's own words for it`() throws {
    try stage.stage.connection.run(
      "UPDATE learning.users SET push_opt_in = false, quiet_from = 720, quiet_to = 720")

    let lines = try lines(on: "2026-03-02")

    #expect(lines.contains("the learner has no quiet hours"))
    #expect(lines.contains("all of the window is on the day and outside of quiet hours"))
    #expect(lines[2] == "it would not go out: the learner does not want pushes (opted_out)")
  }

  @Test func `of a past day it tells what is written down, and what happened then`() throws {
    _ = try stage.run(at: "2026-03-01T12:40:00Z")
    try stage.stage.connection.run(
      """
      UPDATE learning.notifications SET state = 'opened', sent_at = '2026-03-01T12:50:03Z',
        provider = 'apns', due_at = '2026-03-01T12:50:00Z'
      """)
    try stage.stage.connection.run(
      """
      INSERT INTO learning.notification_events (user_id, local_day, event, at) VALUES
        (1, '2026-03-01', 'push_sent', '2026-03-01T12:50:03Z'),
        (1, '2026-03-01', 'push_opened', '2026-03-01T15:10:00Z')
      """)
    stage.stage.clock.turn(to: try Instant("2026-03-02T03:00:00Z"))

    let explanation = try explain(on: "2026-03-01")

    #expect(
      Array(explanation.lines.dropFirst()) == [
        "it was sent at 21:50:03 by apns, and opened",
        "a reminder at the hour of earlier studies was decided at 21:40",
        "its window was 21:45 to 22:00, its minute 21:50", "its text is 'basic'",
        "push_sent at 21:50:03",
        "push_opened at 2026-03-02 00:10",
      ])
    #expect(explanation.facts.compact.contains(#""would":null"#))
  }

  @Test func `of a day that is decided it tells what would be only when a run would change it`()
    throws
  {
    _ = try stage.run(at: "2026-03-01T12:40:00Z")
    // A template of another kind fits by now, but no run looks for that.
    try stage.stage.connection.run(
      """
      INSERT INTO learning.streaks (user_id, state, length, longest, started_on, last_day, changed_at)
      VALUES (1, 'kept', 9, 9, '2026-02-20', '2026-02-28', '2026-03-01T12:41Z')
      """)
    stage.stage.clock.turn(to: try Instant("2026-03-01T12:42:00Z"))
    let unchanged = try explain()
    try stage.stage.connection.run(
      """
      UPDATE learning.devices SET invalidated_at = '2026-03-01T12:43Z', invalid_reason = 'gone',
        registered_at = '2026-03-01T12:43Z'
      """)
    stage.stage.clock.turn(to: try Instant("2026-03-01T12:44:00Z"))

    let changed = try explain()

    #expect(!unchanged.lines.contains("by what is known now:"))
    #expect(unchanged.lines[1] == "it is planned")
    #expect(unchanged.facts.compact.contains(#""would":null"#))
    #expect(changed.lines.contains("by what is known now:"))
    let now = changed.lines.drop { $0 != "by what is known now:" }
    #expect(now.dropFirst().first?.hasSuffix("(no_device)") == true)
  }

  @Test(arguments: PushState.allStates)
  func `every state and reason has words`(state: PushState) throws {
    _ = try stage.run(at: "2026-03-01T12:40:00Z")
    try stage.stage.connection.run(
      """
      UPDATE learning.notifications SET state = \(state), reason = 'studied_meanwhile',
        sent_at = CASE WHEN \(state) NOT IN ('planned', 'sending')
          THEN '2026-03-01T12:50:03Z'::timestamptz END,
        owner = CASE WHEN \(state) = 'sending' THEN 'x' END
      """)

    let lines = try lines(on: "2026-03-01")

    #expect(["it ", "whether ", "nobody "].contains { lines[1].hasPrefix($0) })
    #expect(
      [.ignored, .failed, .uncertain, .expired, .suppressed].contains(state)
        == lines[1].hasSuffix(": the learner studied before it went out (studied_meanwhile)"))
  }

  @Test func `of a push that nobody answered it says so when nobody knows whether it arrived`()
    throws
  {
    _ = try stage.run(at: "2026-03-01T12:40:00Z")
    let closing: Statement = """
      UPDATE learning.notifications SET state = 'ignored', sent_at = '2026-03-01T12:50:03Z',
        ended_at = '2026-03-01T15:00:00Z', provider = 'apns'
      """
    try stage.stage.connection.run(closing)
    let sent = try lines(on: "2026-03-01")
    try stage.stage.connection.run("\(closing), reason = 'worker_lost'")

    let uncertain = try lines(on: "2026-03-01")

    #expect(sent[1] == "it was sent at 21:50:03 by apns, and nobody answered")
    #expect(
      uncertain[1] == "nobody answered, and whether it arrived is not known: the worker that sent"
        + " it was lost before the outcome was known: it counts as sent (worker_lost)")
  }

  @Test(arguments: [(0, ""), (1, ", and was tried once"), (3, ", and was tried 3 times")])
  func `of a push that did not get out it tells how often it was tried`(
    tries: Int, words: String
  ) throws {
    _ = try stage.run(at: "2026-03-01T12:40:00Z")
    try stage.stage.connection.run("UPDATE learning.notifications SET tries = \(tries)")
    let planned = try lines(on: "2026-03-01")
    try stage.stage.connection.run(
      """
      UPDATE learning.notifications SET state = 'expired', reason = 'window_passed',
        ended_at = '2026-03-01T13:00:00Z'
      """)

    let expired = try lines(on: "2026-03-01")

    #expect(planned[1] == "it is planned\(words)")
    #expect(expired[1] == "it expired\(words): its window was over (window_passed)")
  }

  @Test func `a past day without a row, an unknown zone and an unknown learner are told as such`()
    throws
  {
    let past = try lines(on: "2026-02-01")
    try stage.stage.connection.run("UPDATE learning.users SET zone = 'Mars/Olympus'")

    let error = #expect(throws: UnknownLearner.self) { try explain(99) }

    #expect(past.last == "no push was decided for that day")
    #expect(
      try lines() == [
        "learner 1 gets no push until the zone is corrected: nobody knows 'Mars/Olympus'"
      ])
    #expect(error?.description == "there is no learner 99 in learning.users")
  }

  @Test func `machines are told the same`() throws {
    let json = try explain().facts.compact

    for member in [
      #""learner":1"#, #""day":"2026-03-01""#, #""decided":null"#, #""cut":"cut""#,
      #""window":{"from":"2026-03-01T12:45:00Z","to":"2026-03-01T13:00:00Z"}"#,
      #""state":"planned""#, #""quiet_from":"22:00""#, #""template":"basic""#,
      #"{"template":"streak","reason":"there is no streak to lose"}"#,
    ] {
      #expect(json.contains(member), "\(member) in \(json)")
    }
  }
}

extension PushState {
  fileprivate static let allStates: [PushState] = [
    .planned, .sending, .sent, .opened, .ignored, .failed, .uncertain, .expired, .suppressed,
  ]
}
