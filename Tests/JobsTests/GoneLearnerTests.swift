import JobKit
import Ledger
import LocalTime
import Postgres
import TestKit
import TestSupport
import Testing

@testable import Jobs

/// A learner whom a job has read is deleted by the app before the job writes.
@Suite("A learner who is deleted while a job is at work")
struct GoneLearnerTests {
  /// A job that writes of learners, and where.
  struct Case: Sendable, CustomTestStringConvertible {
    let job: any Job
    let table: Statement
    var testDescription: String { "\(job.definition.name)" }
  }

  private static var cases: [Case] {
    [
      Case(job: ScheduleDailyPush(), table: "learning.push_agenda"),
      Case(job: RecommendReview(), table: "learning.reviews"),
      Case(job: DetectStreakBreaks(), table: "learning.streaks"),
      Case(job: SettleRewards(), table: "learning.balances"),
      Case(job: RefreshLeaderboard(), table: "learning.leaderboard_entries"),
      Case(job: RefreshWidgetSnapshots(), table: "learning.widget_snapshots"),
    ]
  }

  private let stage: Stage

  init() throws {
    stage = try Stage.withPatterns(at: "2026-03-10T16:00:00Z")
    for learner in 1...3 {
      try stage.addLearner(learner)
      try stage.study(learner, on: "2026-03-09", "2026-03-10")
      try stage.reward(
        learner, 1, key: "key", kind: "bonus", receivedAt: "2026-03-10T12:00:00Z")
    }
    try stage.addAttempts(1...3, each: 40, until: "2026-03-10T16:00:00Z", seed: 1)
  }

  @Test(arguments: cases)
  func `is left out, and the others get what is theirs in the same run`(_ each: Case) throws {
    let app = try stage.held(by: "DELETE FROM learning.users WHERE user_id = 1", then: "SELECT 1")

    let run = try stage.run(each.job)
    try app.value()

    let learners = try stage.text(
      "SELECT string_agg(DISTINCT user_id::text, ' ' ORDER BY user_id::text) FROM \(each.table)")
    #expect(run.state == .succeeded)
    #expect(try stage.count("SELECT sum(failures + worker_losses) FROM jobkit.part") == 0)
    #expect(learners == "2 3")
  }
}
