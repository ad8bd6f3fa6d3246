import JobKit

extension JobDefinition {
  /// A learner waits for a reward, so this is elapsed time and never a clock on the wall.
  static let settleRewards = JobDefinition(
    name: "settle_rewards",
    purpose: "settles pending rewards, each exactly once",
    schedule: .every(.seconds(60)))
}
