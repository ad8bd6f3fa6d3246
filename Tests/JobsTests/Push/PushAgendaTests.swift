import LocalTime
import Testing

@testable import Jobs

@Suite("When a push is decided, and when it is decided anew")
struct PushAgendaTests {
  /// A learner who is reminded between 20:55 and 21:40, by the clock of Seoul.
  private func learner(_ rows: PushRow...) throws -> PushCase {
    var learner = try PushCase(studies: "2026-02-28T20:10")
    learner.facts.rows = rows
    return learner
  }

  private func decisions(_ learner: PushCase, at time: String) throws -> [String] {
    try learner.planner(at: time).agenda().decisions.map {
      [
        $0.plan.day.description, $0.plan.kind.rawValue, $0.state.rawValue,
        $0.reason?.rawValue ?? "",
      ]
      .filter { !$0.isEmpty }.joined(separator: " ")
    }
  }

  private func lookAt(_ learner: PushCase, at time: String) throws -> String {
    let look = try learner.planner(at: time).agenda().lookAt
    return learner.zone.local(at: look).description
  }

  @Test(arguments: [
    ("2026-03-01T20:49:59", []), ("2026-03-01T20:50", ["2026-03-01 reminder planned"]),
    ("2026-03-01T21:20", ["2026-03-01 reminder planned"]),
    ("2026-03-01T21:40", ["2026-03-01 reminder expired window_passed"]),
  ])
  func `a push is decided from five minutes before its window on`(
    time: String, expected: [String]
  ) throws {
    #expect(try decisions(learner(), at: time) == expected)
  }

  @Test func `until then the learner is looked at when the window begins, and afterwards tomorrow`()
    throws
  {
    let sent = try learner(PushRow("2026-03-01", .sent))

    #expect(try lookAt(learner(), at: "2026-03-01T09:00") == "2026-03-01T20:55:00")
    #expect(try lookAt(learner(), at: "2026-03-01T20:50") == "2026-03-02T20:55:00")
    #expect(try lookAt(sent, at: "2026-03-01T09:00") == "2026-03-02T20:55:00")
  }

  @Test func `a window of which nothing is left is decided when it would have begun`() throws {
    var learner = try learner()
    try learner.add(studyAt: "2026-03-01T21:30")

    #expect(try lookAt(learner, at: "2026-03-01T21:40") == "2026-03-01T22:15:00")
    #expect(
      try decisions(learner, at: "2026-03-01T22:10")
        == ["2026-03-01 follow_up suppressed quiet_hours"])
  }

  @Test func `a follow-up whose window would begin tomorrow is decided before today is over`()
    throws
  {
    var learner = try PushCase(studies: "2026-03-01T23:30", quiet: QuietHours(from: 0, to: 0))
    learner.facts.rows = [try PushRow("2026-02-28", .ignored)]

    #expect(try lookAt(learner, at: "2026-03-01T23:40") == "2026-03-01T23:59:59")
    #expect(
      try decisions(learner, at: "2026-03-01T23:55") == ["2026-03-01 follow_up suppressed day_over"]
    )
  }

  @Test func `a window that begins at midnight is decided before midnight`() throws {
    let learner = try PushCase(studies: "2026-02-28T00:00", quiet: QuietHours(from: 0, to: 0))
    var early = learner
    early.facts.preferredMinute = 0
    early.facts.studies = []
    early.facts.rows = [try PushRow("2026-02-28", .sent)]

    #expect(try decisions(early, at: "2026-02-28T23:55") == ["2026-03-01 first planned"])
  }

  @Test(arguments: [
    (PushState.planned, true), (.suppressed, true), (.sending, false), (.sent, false),
    (.opened, false), (.ignored, false), (.failed, false), (.uncertain, false), (.expired, true),
  ])
  func `a new study takes the place of what has not been sent`(
    state: PushState, isRevised: Bool
  ) throws {
    var learner = try learner(PushRow("2026-03-01", state))
    try learner.add(studyAt: "2026-03-01T18:00")

    #expect(
      try decisions(learner, at: "2026-03-01T18:05")
        == (isRevised ? ["2026-03-01 follow_up planned"] : []))
  }

  @Test(arguments: [
    // What was studied until 18:00 is followed up until 19:30.
    ("2026-03-01T10:29:00Z", true), ("2026-03-01T10:30:00Z", false),
  ])
  func `what has expired gives way to a push in a window that ends later, and to no other`(
    windowTo: String, isRevised: Bool
  ) throws {
    var learner = try learner(PushRow("2026-03-01", .expired, windowTo: windowTo))
    try learner.add(studyAt: "2026-03-01T18:00")

    #expect(
      try decisions(learner, at: "2026-03-01T18:05")
        == (isRevised ? ["2026-03-01 follow_up planned"] : []))
  }

  @Test func `what has expired stays where a study of the day is not followed up`() throws {
    var learner = try learner(PushRow("2026-03-01", .expired, windowTo: "2026-03-01T10:45:00Z"))
    try learner.add(studyAt: "2026-03-01T21:30")

    #expect(try decisions(learner, at: "2026-03-01T21:35").isEmpty)
  }

  @Test func `what has expired by a later clock is not brought back by news in its own window`()
    throws
  {
    var learner = try learner(PushRow("2026-03-01", .expired, windowTo: "2026-03-01T12:40:00Z"))
    learner.facts.hasNews = true

    #expect(try decisions(learner, at: "2026-03-01T21:00").isEmpty)
  }

  @Test func `a later study of the day moves the follow-up, the same one does not`() throws {
    let first = try Instant("2026-03-01T09:00:00Z")
    var learner = try learner(PushRow("2026-03-01", .planned, .followUp, evidence: first))
    try learner.add(studyAt: "2026-03-01T18:00")
    let before = try decisions(learner, at: "2026-03-01T18:50")

    try learner.add(studyAt: "2026-03-01T18:44")

    #expect(before.isEmpty)
    #expect(try decisions(learner, at: "2026-03-01T18:50") == ["2026-03-01 follow_up planned"])
  }

  @Test func `a follow-up whose window is over when the study arrives expires`() throws {
    var learner = try learner(PushRow("2026-03-01", .planned))
    try learner.add(studyAt: "2026-03-01T09:00")

    #expect(
      try decisions(learner, at: "2026-03-01T20:50")
        == ["2026-03-01 follow_up expired window_passed"])
  }

  @Test func `a change of the learner's row decides what is open anew`() throws {
    var learner = try learner(
      PushRow("2026-03-01", .planned, plannedAt: "2026-03-01T11:50:00Z"))
    learner.facts.eligibility.hasOptedIn = false
    learner.facts.changedAt = try Instant("2026-03-01T11:49:00Z")
    let before = try decisions(learner, at: "2026-03-01T21:00")

    learner.facts.changedAt = try Instant("2026-03-01T11:51:00Z")

    #expect(before.isEmpty)
    #expect(
      try decisions(learner, at: "2026-03-01T21:00") == ["2026-03-01 reminder suppressed opted_out"]
    )
  }

  @Test func `news that came late decides anew too, whatever its clock says`() throws {
    var learner = try learner(
      PushRow("2026-03-01", .suppressed, plannedAt: "2026-03-01T11:50:00Z"))
    learner.facts.hasNews = true

    #expect(try decisions(learner, at: "2026-03-01T21:00") == ["2026-03-01 reminder planned"])
  }

  @Test func `why nothing went out stays true when its window has passed`() throws {
    var learner = try learner(PushRow("2026-03-01", .suppressed))
    learner.facts.hasNews = true

    #expect(try decisions(learner, at: "2026-03-01T22:00").isEmpty)
  }

  @Test func `a day that ended while nobody looked is written down, up to two of them`() throws {
    var learner = try learner()
    learner.facts.lookAt = try Instant("2026-02-20T11:55:00Z")

    #expect(
      try decisions(learner, at: "2026-03-03T08:00") == [
        "2026-03-01 reminder expired window_passed", "2026-03-02 reminder expired window_passed",
      ])
  }

  @Test func `what was studied today has nothing to do with the day that was overlooked`() throws {
    var learner = try learner()
    try learner.add(studyAt: "2026-03-02T07:30")
    learner.facts.lookAt = try Instant("2026-03-01T11:55:00Z")

    #expect(
      try decisions(learner, at: "2026-03-02T08:00") == [
        "2026-03-01 reminder expired window_passed"
      ]
    )
  }
}
