public import JobKit
import LocalTime
import Postgres

extension JobDefinition {
  /// A learner waits for a reward, so this is elapsed time and never a clock on the wall.
  static let settleRewards = JobDefinition(
    name: "settle_rewards",
    purpose: "settles pending rewards, each exactly once",
    schedule: .every(.seconds(60)), policies: rewardPolicies, parts: 2, arguments: [.full],
    needs: .ofRewards)

  private static var rewardPolicies: Policies {
    var policies = Policies()
    // A queue of that length is somebody's mistake, such as a table that was loaded twice.
    policies.bounds.most = 5_000_000
    return policies
  }
}

/// Settles rewards in the order in which each learner earned them, and brings the streaks of those who
/// studied up to date.
public struct SettleRewards: Job {
  public let definition = JobDefinition.settleRewards
  public let worksInPostgresAlone = true

  let rules: RewardRules
  private let streakRules: StreakRules

  /// How many rewards are settled in one transaction.
  private let chunk: ChunkSize

  public init(rules: RewardRules = RewardRules(), streakRules: StreakRules = StreakRules()) {
    self.init(
      rules: rules, streakRules: streakRules, chunk: ChunkSize(from: 4000, upTo: 16_000))
  }

  init(
    rules: RewardRules = RewardRules(), streakRules: StreakRules = StreakRules(),
    chunk: ChunkSize
  ) {
    (self.rules, self.streakRules, self.chunk) = (rules, streakRules, chunk)
  }

  public func plan(_ context: borrowing JobContext) throws -> Int? {
    let share = context.shareOfAllParts(of: "user_id")
    return try RewardQueue(moment: context.scheduledFor, share: share).count(in: context)
  }

  public func run(_ context: inout JobContext) throws -> Outcome {
    let moment = context.scheduledFor
    let queue = RewardQueue(moment: moment, share: context.share(of: "user_id"))
    let total = try context.progress.total ?? context.planned ?? queue.count(in: context)
    // Another job looks at every session.
    let mark = try Watermark.slowest(of: JobDefinition.detectStreakBreaks.name, in: context)
    let book = try StreakBook(
      of: definition.name, by: streakRules, asOf: moment, since: mark, in: context)
    var tour = RewardTour(
      of: queue, for: definition.name, by: rules, book,
      toUpdate: try book.learnersToUpdate(in: context))
    try context.inChunks(of: chunk, isDurable: false) { connection, progress, most in
      progress.total = total
      return try tour.oneChunk(of: most, &progress, on: connection)
    }
    let settled = context.progress.counters["settled"]
    return Outcome("settled \(settled) of \(context.progress.done.counted("reward"))")
  }
}
