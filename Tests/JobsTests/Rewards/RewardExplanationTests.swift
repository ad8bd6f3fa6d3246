@testable import Jobs

import JobKit
import LocalTime
import Postgres
import TestKit
import Testing

@Suite("What became of a learner's rewards")
struct RewardExplanationTests {
  private let stage: Stage

  init() throws {
    stage = try Stage(at: "2026-03-06T12:00:00Z", with: .learning)
    try stage.learner(1, in: "Asia/Seoul")
    for (queueId, received) in [
      (1, "2026-03-04T14:59:59Z"), (2, "2026-03-04T15:00:00Z"), (3, "2026-03-05T14:59:59Z"),
      (4, "2026-03-05T15:00:00Z"),
    ] {
      try stage.reward(1, queueId, key: "\(queueId)", kind: "bonus", receivedAt: received)
    }
  }

  /// Those that are told of, as in `reward 3`.
  private func rewards(on day: String?) throws -> [String] {
    let told = try SettleRewards().explain(
      1, on: day.map { try CivilDate($0) }, at: stage.now, in: stage.zones, stage.connection)
    return told.lines.dropFirst().map { String($0.prefix(8)) }
  }

  @Test func `is told of the day that it was where the learner lives`() throws {
    #expect(try rewards(on: "2026-03-05") == ["reward 3", "reward 2"])
    #expect(try rewards(on: "2026-03-07") == [])
    #expect(try rewards(on: nil) == ["reward 4", "reward 3", "reward 2", "reward 1"])
  }

  @Test func `is told of a day of UTC where nobody knows the learner's zone`() throws {
    try stage.connection.run("UPDATE learning.users SET zone = 'Mars/Olympus'")

    #expect(try rewards(on: "2026-03-05") == ["reward 4", "reward 3"])
  }
}
