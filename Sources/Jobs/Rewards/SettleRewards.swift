package import Config
public import JobKit
public import LocalTime
public import Postgres

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
  public let hasExternalEffects = false

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
    let store = try StreakStore(
      of: definition.name, by: streakRules, asOf: moment, since: mark, in: context)
    var rewardScan = RewardScan(
      of: queue, for: definition.name, by: rules, store,
      toUpdate: try store.learnersToUpdate(in: context))
    try context.inChunks(of: chunk, isDurable: false) { connection, progress, most in
      progress.total = total
      return try rewardScan.oneChunk(of: most, &progress, on: connection)
    }
    let settled = context.progress.counters["settled"]
    return Outcome("settled \(settled) of \(context.progress.done.counted("reward"))")
  }
}

extension SettleRewards: LearnerExplainer {
  /// Tells what became of the learner's latest rewards, and what those that wait are waiting for.
  ///
  /// With a day it tells of those that were received on it where the learner lives now, or in UTC where nobody
  /// knows that zone.
  public func explain(
    _ learner: Int, on day: CivilDate?, at now: Instant, in zones: ZoneDatabase,
    _ connection: borrowing Connection
  ) throws -> LearnerExplanation {
    let sums = try connection.run(
      """
      SELECT coalesce(score, 0), coalesce(xp, 0),
        (SELECT count(*) FROM learning.reward_entries AS entry WHERE entry.user_id = users.user_id), zone
      FROM learning.users LEFT JOIN learning.balances USING (user_id) WHERE user_id = \(learner)
      """)
    guard let sum = sums.first else { throw UnknownLearner(learner) }
    let (score, xp): (Int, Int) = (try sum[0], try sum[1])
    let (entries, name): (Int, String) = (try sum[2], try sum[3])
    var known = KnownZones(of: zones)
    let zone = try known.zone(named: name) ?? .utc
    let span = day.map { zone.startOfDay($0)..<zone.startOfDay($0.advanced(by: 1)) }
    let rewards = try rewards(of: learner, receivedIn: span, at: now, connection)
    return LearnerExplanation(
      lines: ["score \(score) and XP \(xp), the sum of \(entries) settled rewards"]
        + rewards.map(\.sentence),
      facts: [
        "score": .integer(score), "xp": .integer(xp), "settled": .integer(entries),
        "rewards": .array(rewards.map(\.json)),
      ])
  }

  private func rewards(
    of learner: Int, receivedIn span: Range<Instant>?, at now: Instant,
    _ connection: borrowing Connection
  ) throws -> [ExplainedReward] {
    let rows = try connection.run(
      """
      SELECT queue_id, kind, amount, state, reason, settled_at, idempotency_key
      FROM learning.reward_pending
      WHERE user_id = \(learner) AND received_at <= \(now)
        AND (\(span == nil) OR received_at >= \(span?.lowerBound) AND received_at < \(span?.upperBound))
      ORDER BY state <> 'pending', queue_id DESC LIMIT 10
      """)
    let queue = RewardQueue(moment: now, share: "true")
    let pending = try queue.pendingRewards(
      at: try rows.map { try $0[0] }, of: learner, on: connection)
    let verdicts = Dictionary(
      uniqueKeysWithValues: pending.map {
        ($0.queueId, RewardVerdict(on: $0, at: now, by: rules))
      })
    return try rows.map { try ExplainedReward($0, verdicts: verdicts) }
  }
}

extension SettleRewards: Reporter {
  /// How many rewards were settled, and whether some have waited for long.
  public func report(
    on period: Range<Instant>, counted: Counters, at now: Instant,
    _ connection: borrowing Connection
  ) throws -> LearnerReport {
    LearnerReport(
      "Rewards",
      [
        .init(counted["settled"], "settled"), .init(counted["duplicate"], "already settled before"),
      ])
  }
}

extension SettleRewards: LearningJob {
  package static var settings: [AnyRule] { RewardRules.settings }

  package init(_ book: RuleBook, _ services: LearningServices) {
    self.init(rules: RewardRules(book), streakRules: StreakRules(book))
  }
}
