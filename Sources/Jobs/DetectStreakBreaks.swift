public import JobKit
import LocalTime
import Postgres

extension JobDefinition {
  /// Zones differ by quarters of an hour, and so do their midnights.
  static let detectStreakBreaks = JobDefinition(
    name: "detect_streak_breaks",
    purpose: "finds streaks that ended at a learner's local midnight, and repairs or resets them",
    schedule: .cron("*/15 * * * *"), policies: streakPolicies, parts: 2, arguments: [.full],
    needs: .ofStreaks)

  private static var streakPolicies: Policies {
    var policies = Policies()
    // Far more than the learners of a quarter of an hour, and than all of them at the first run.
    policies.bounds.most = 5_000_000
    return policies
  }
}

/// Brings up to date the streaks of whoever may have missed a day, and of whoever there is news of.
public struct DetectStreakBreaks: Job {
  public let definition = JobDefinition.detectStreakBreaks
  public let worksInPostgresAlone = true

  let rules: StreakRules

  /// How many learners are brought up to date in one transaction.
  private let chunk: ChunkSize

  public init(rules: StreakRules = StreakRules()) {
    self.init(rules: rules, chunk: ChunkSize(from: 2000, upTo: 8000))
  }

  init(rules: StreakRules = StreakRules(), chunk: ChunkSize) {
    (self.rules, self.chunk) = (rules, chunk)
  }

  public func plan(_ context: borrowing JobContext) throws -> Int? {
    let round = try Round(ofAllParts: definition.name, in: context)
    return try Self.learners(in: round, context).count(in: context)
  }

  public func run(_ context: inout JobContext) throws -> Outcome {
    let round = try Round(of: definition.name, in: context)
    var book = try StreakBook(
      of: definition.name, by: rules, asOf: round.asOf, since: round.since, in: context)
    let list =
      try book.learnersToUpdate(in: context) ?? LearnerList(of: .everyone, in: context)
    let bad = BadSessions(in: round, context)
    try context.inChunks(of: chunk, isDurable: false) { connection, progress, most in
      let learners = Array(list.next(most, after: round.last(in: progress.cursor)))
      progress.total = list.ids.count
      guard let last = learners.last else {
        try bad.save(on: connection, &progress.counters)
        try round.end(on: connection)
        return .finished
      }
      try book.update(learners, on: connection, &progress)
      progress.done += learners.count
      progress.cursor = round.cursor(after: last)
      return .more
    }
    return Self.outcome(of: context)
  }

  private static func outcome(of context: borrowing JobContext) -> Outcome {
    let counters = context.progress.counters
    let replayed = counters["replayed"]
    return Outcome(
      "looked at \(context.progress.done.counted("learner")): \(counters["broken"].counted("streak")) broken,"
        + " \(counters["repairable"]) repairable, \(counters["repaired"]) repaired"
        + (replayed == 0 ? "" : "; \(replayed.counted("change")) of earlier days replayed"))
  }

  private static func learners(in round: Round, _ context: borrowing JobContext) -> Learners {
    guard let since = round.since, context.arguments["full"] != "true" else {
      return .everyone
    }
    return .found(by: learners(since: since, asOf: round.asOf))
  }

  /// Who may have missed a day, and whose studies, repairs or zone are news.
  static func learners(since mark: Watermark, asOf moment: Instant) -> Statement {
    """
    \(due(asOf: moment))
    UNION ALL
    SELECT user_id FROM (\(StreakNews.query(since: mark, asOf: moment))) AS news
    """
  }

  /// Whose day may be over.
  static func due(asOf moment: Instant) -> Statement {
    "SELECT user_id FROM learning.streaks WHERE check_at <= \(moment)"
  }
}
