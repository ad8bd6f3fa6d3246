@testable import JobKit
@testable import Jobs

import LocalTime
import Postgres
import TestKit
import TestSupport
import Testing

@Suite("Why a streak, why a reward")
struct ExplainStreakTests {
  private let stage: Stage

  init() throws {
    stage = try Stage(at: "2026-03-05T03:00:00Z", with: .learning)
    try stage.learner(1)
  }

  private func lines(
    _ job: some LearnerExplainer, of learner: Int = 1, on day: String? = nil
  ) throws -> [String] {
    try job.explain(
      learner, on: day.map { try CivilDate($0) }, at: stage.now, in: stage.zones, stage.connection
    ).lines
  }

  @Test func `a streak that can be repaired says so, until when, and what led to it`() throws {
    try stage.hold(tokens: 1, of: 1)
    try stage.study(1, on: "2026-03-02", "2026-03-03")
    _ = try stage.run(DetectStreakBreaks())

    let lines = try lines(DetectStreakBreaks(), on: "2026-03-04")

    #expect(
      lines == [
        "a streak of 2 days, from 2026-03-02 through 2026-03-03; the longest was 2",
        "2026-03-04 was missed; a brain token can repair it through 2026-03-05: the offer"
          + " lapses at 2026-03-06T03:00:00Z (UTC)",
        "2026-03-04 was not studied; its repair, offered at 2026-03-05T03:00:00Z, is offered",
        "1 of 3 brain tokens held",
        "2026-03-05T03:00:00Z: repairable on 2026-03-04, as the day was missed while a token is held"
          + " (2 -> 2 days)",
        "2025-02-01T00:00:00Z: token entry earned:2025-01-01:7, earned",
      ])
  }

  @Test func `what a run would note now is told before it has`() throws {
    try stage.study(1, on: "2026-03-03")
    _ = try stage.run(DetectStreakBreaks())
    try stage.study(1, "2026-03-04", receivedAt: "2026-03-05T05:00:00Z")
    try stage.turn(to: "2026-03-05T05:10:00Z")

    let lines = try lines(DetectStreakBreaks())

    #expect(
      lines.contains(
        "a run now would note: restored on 2026-03-04, as a study of it arrived late (0 -> 2 days)")
    )
  }

  @Test func `a zone that nobody knows and a learner whom nobody knows are told`() throws {
    try stage.learner(2, in: "Mars/Base")

    let lines = try lines(DetectStreakBreaks(), of: 2)
    let error = #expect(throws: UnknownLearner.self) { try self.lines(SettleRewards(), of: 3) }

    #expect(
      lines == ["the zone 'Mars/Base' is one that nobody knows: no streak until it is corrected"])
    #expect(error?.description == "there is no learner 3 in learning.users")
  }

  @Test func `rewards say what became of them, and what they wait for`() throws {
    try stage.turn(to: "2026-03-05T12:00:00Z")
    try stage.reward(1, 1, key: "a", kind: "bonus", amount: 5)
    try stage.reward(1, 2, key: "b", kind: "gold")
    try stage.reward(1, 3, key: "c", session: 7)
    _ = try stage.run(SettleRewards())

    let lines = try lines(SettleRewards())

    #expect(
      lines == [
        "score 0 and XP 5, the sum of 1 settled rewards",
        "reward 3 (session_completed, 40, key 'c') is pending: a run now would find it waiting for"
          + " its session until 2026-03-06T11:59:00Z",
        "reward 2 (gold, 40, key 'b'): rejected, unknown_kind as of 2026-03-05T11:59:00Z",
        "reward 1 (bonus, 5, key 'a'): settled as of 2026-03-05T11:59:00Z",
      ])
  }
}
