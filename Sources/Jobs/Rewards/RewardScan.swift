import JobKit
import Postgres

/// One run over the rewards that wait, a chunk at a time.
///
/// While it decides on one chunk, the server reads the next. What others write in between does no harm: the
/// statement that writes a verdict asks again whether the reward waits, and whether its key is free.
struct RewardScan {
  private let queue: RewardQueue
  private let rules: RewardRules
  private let job: JobName
  private var store: StreakStore

  /// Whose streaks may become others; nothing when that may be anybody's.
  private let toUpdate: LearnerList?

  /// What was read of the rewards behind those that were decided on last.
  private var ahead: Reading?

  init(
    of queue: RewardQueue, for job: JobName, by rules: RewardRules, _ store: StreakStore,
    toUpdate: LearnerList?
  ) {
    (self.queue, self.job, self.rules) = (queue, job, rules)
    (self.store, self.toUpdate) = (store, toUpdate)
  }

  mutating func oneChunk(
    of most: Int, _ progress: inout Progress, on connection: borrowing Connection
  ) throws -> ChunkStep {
    try connection.run(Self.plans)
    let reading = try read(most, after: RewardQueue.Place(progress.cursor), on: connection)
    guard let end = try reading.end else { return .finished }
    let verdicts = try decide(on: reading, before: end, of: most, &progress, on: connection)
    try verdicts.save(by: job, at: queue.moment, on: connection, &progress.counters)
    let learners = verdicts.learners.filter { toUpdate?.contains($0) ?? true }
    try store.update(learners, on: connection, &progress)
    progress.done += reading.rewards.count
    progress.cursor = end.cursor
    return reading.isLast ? .finished : .more
  }

  /// The rewards behind a place: read already, unless they are the first or are tried again.
  private mutating func read(
    _ most: Int, after place: RewardQueue.Place, on connection: borrowing Connection
  ) throws -> Reading {
    defer { ahead = nil }
    if let ahead, ahead.place == place { return ahead }
    let rewards = try connection.run(queue.next(most, after: place))
    return Reading(place: place, most: most, rewards: rewards)
  }

  private mutating func decide(
    on reading: Reading, before end: RewardQueue.Place, of most: Int, _ progress: inout Progress,
    on connection: borrowing Connection
  ) throws -> RewardVerdicts {
    var verdicts = RewardVerdicts()
    let coming = reading.isLast ? [] : [queue.next(most, after: end)]
    let read = try connection.pipeline(coming, whileEach: reading.rewards) { row in
      let reward = try PendingReward(row)
      let verdict = RewardVerdict(on: reward, at: queue.moment, by: rules)
      verdicts.add(verdict, on: reward)
      progress.addExample("learner \(reward.learner): reward \(reward.queueId) would be \(verdict)")
    }
    ahead = read.first.map { Reading(place: end, most: most, rewards: $0) }
    return verdicts
  }

  /// How Postgres is to go about it.
  ///
  /// Each reward is found by its key, and asked for once: the other ways to join read all that wait, for
  /// every chunk of them, and remembering pays for nothing. Nor is a plan to read all entries because it was
  /// made, and kept, while there were none.
  static let plans: Statement = """
    \(PlanSettings.inOrder), set_config('enable_hashjoin', 'off', true),
      set_config('enable_mergejoin', 'off', true), set_config('enable_memoize', 'off', true)
    """
}

/// What was read of the queue at once.
private struct Reading {
  let place: RewardQueue.Place

  /// How many were asked for.
  let most: Int
  let rewards: Rows

  var isLast: Bool { rewards.count < most }

  /// The place of the last of them.
  var end: RewardQueue.Place? {
    get throws { try rewards.last.map(RewardQueue.Place.init) }
  }
}
