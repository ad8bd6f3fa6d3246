@testable import JobKit
@testable import Jobs

import LocalTime
import Postgres
import TestKit
import TestSupport
import Testing

/// What becomes of verdicts when somebody else has written in between, as a worker may that lost its part.
@Suite("Verdicts on rewards that come too late")
struct RewardRaceTests {
  private let stage: Stage

  init() throws {
    stage = try Stage(at: "2026-03-05T12:00:00Z", with: .learning)
    try stage.learner(1)
    for (queueId, key) in [(1, "a"), (2, "b")] {
      try stage.reward(1, queueId, key: key, kind: "bonus")
    }
  }

  /// The verdicts on what waits now, none of them written.
  private func verdicts() throws -> RewardVerdicts {
    let now = try stage.now
    let queue = RewardQueue(moment: now, share: "true")
    var verdicts = RewardVerdicts()
    for row in try stage.connection.run(queue.next(10, after: RewardQueue.Place(nil))) {
      let reward = try PendingReward(row)
      verdicts.add(RewardVerdict(on: reward, at: now, by: RewardRules()), on: reward)
    }
    return verdicts
  }

  private func save(_ verdicts: RewardVerdicts) throws -> Counters {
    var counters = Counters()
    let now = try stage.now
    try stage.connection.transaction { connection in
      try verdicts.save(by: "settle_rewards", at: now, on: connection, &counters)
    }
    return counters
  }

  @Test func `a reward that another has settled meanwhile is not settled again`() throws {
    let late = try verdicts()
    _ = try stage.run(SettleRewards())
    let digest = try stage.rewardDigest()

    let counters = try save(late)

    #expect(counters == Counters())
    #expect(try stage.rewardDigest() == digest)
  }

  @Test func `a reward that another has rejected meanwhile is not paid`() throws {
    let late = try verdicts()
    try stage.connection.run(
      """
      UPDATE learning.reward_pending SET state = 'rejected', reason = 'older_than_7_days',
        settled_at = received_at WHERE queue_id = 1
      """)

    let counters = try save(late)

    #expect(counters["settled"] == 1)
    #expect(try stage.rewards(of: 1) == "1 rejected older_than_7_days, 2 settled")
    #expect(try stage.balance(of: 1) == "0 40 0 40")
  }

  @Test func `a reward that another has written meanwhile is left to the next run`()
    throws
  {
    let late = try verdicts()
    try stage.connection.run("UPDATE learning.reward_pending SET amount = 70 WHERE queue_id = 1")

    let counters = try save(late)
    _ = try stage.run(SettleRewards())

    #expect(counters["settled"] == 1)
    #expect(try stage.rewards(of: 1) == "1 settled, 2 settled")
    #expect(try stage.balance(of: 1) == "0 110 0 110")
  }

  @Test func `a reward that has come to lie where another lay is not taken for it`() throws {
    let late = try verdicts()
    try stage.connection.run("DELETE FROM learning.reward_pending")
    try stage.connection.run("VACUUM learning.reward_pending")
    for (queueId, key) in [(3, "c"), (4, "d")] {
      try stage.reward(1, queueId, key: key, kind: "bonus")
    }

    let counters = try save(late)

    #expect(counters == Counters())
    #expect(try stage.rewards(of: 1) == "3 pending, 4 pending")
  }

  @Test func `a reward whose key was taken meanwhile is a duplicate, and not paid`() throws {
    let late = try verdicts()
    try stage.connection.run(
      """
      INSERT INTO learning.reward_entries (user_id, idempotency_key, queue_id, kind, score, xp, at)
      VALUES (1, 'a', 9, 'bonus', 0, 0, '2026-03-05T11:00Z')
      """)

    let counters = try save(late)

    #expect(counters["settled"] == 1 && counters["duplicate"] == 1)
    #expect(try stage.rewards(of: 1) == "1 duplicate key_taken, 2 settled")
    #expect(try stage.balance(of: 1) == "0 40 0 40")
  }
}
