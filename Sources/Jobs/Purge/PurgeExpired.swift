package import Config
public import JobKit
public import LocalTime
internal import Migrations
public import Postgres

extension JobDefinition {
  /// Between the last pushes of one day and the first of the next in most of the world.
  static let purgeExpired = JobDefinition(
    name: "purge_expired",
    purpose: "deletes old pushes and reviews, which nothing asks for any more",
    schedule: .cron("50 2 * * *"), policies: policies, parts: 2,
    needs: [
      TableNeed("learning.users", ["SELECT"]),
      TableNeed("learning.notifications", ["SELECT", "DELETE"]),
      TableNeed("learning.notification_events", ["SELECT", "DELETE"]),
      TableNeed("learning.reviews", ["SELECT", "DELETE"]),
    ])

  /// What is deleted does not come back: somebody looks first where a limit was written with a digit too few.
  private static var policies: Policies {
    var policies = Policies()
    policies.bounds.most = 5_000_000
    // The next run deletes what a missed one would have.
    policies.mayBackfill = false
    return policies
  }
}

/// Deletes pushes and reviews that were kept for long enough, the oldest of each learner.
public struct PurgeExpired: Job {
  public let definition = JobDefinition.purgeExpired
  public let hasExternalEffects = false

  private let rules: PurgeRules
  private let chunk: ChunkSize

  public init(rules: PurgeRules = PurgeRules()) {
    self.init(rules: rules, chunk: ChunkSize(from: 1000, upTo: 8000))
  }

  init(rules: PurgeRules = PurgeRules(), chunk: ChunkSize) {
    (self.rules, self.chunk) = (rules, chunk)
  }

  /// The rows that are about to go, without the events of pushes.
  public func plan(_ context: borrowing JobContext) throws -> Int? {
    let expired = ExpiredRows(at: context.scheduledFor, by: rules)
    let share = context.shareOfAllParts(of: "users.user_id")
    return try context.query(expired.count(of: share)).only[0]
  }

  public func run(_ context: inout JobContext) throws -> Outcome {
    let expired = ExpiredRows(at: context.scheduledFor, by: rules)
    let learners = try LearnerList(of: .everyone, in: context)
    try context.inChunks(of: chunk) { connection, progress, most in
      let ids = Array(learners.next(most, after: progress.cursor.flatMap { Int($0) }))
      guard let last = ids.last else { return .finished }
      try connection.run(PlanSettings.byIndex)
      let pushes = try expired.deletePushes(of: ids, on: connection)
      let reviews = try expired.deleteReviews(of: ids, on: connection)
      if let first = pushes.first { progress.addExample("\(first): would be deleted") }
      progress.counters.count("pushes", pushes.count)
      progress.counters.count("reviews", reviews)
      progress.done += pushes.count + reviews
      progress.cursor = "\(last)"
      return .more
    }
    let counters = context.progress.counters
    return Outcome(
      "deleted \(counters["pushes"].counted("old push", "old pushes"))"
        + " and \(counters["reviews"].counted("old review"))")
  }
}

extension PurgeExpired: LearnerExplainer {
  /// Tells what of the learner is old enough to go, on a day or now.
  public func explain(
    _ learner: Int, on day: CivilDate?, at now: Instant, in zones: ZoneDatabase,
    _ connection: borrowing Connection
  ) throws -> LearnerExplanation {
    let expired = ExpiredRows(at: day.map(Zone.utc.startOfDay) ?? now, by: rules)
    let rows = try connection.run(
      """
      SELECT (SELECT count(*) FROM learning.notifications AS push
          WHERE push.user_id = users.user_id AND \(expired.isOldPush)),
        (SELECT count(*) FROM learning.reviews AS review
          WHERE review.user_id = users.user_id AND review.local_day < \(expired.firstReviewDay))
      FROM learning.users WHERE user_id = \(learner)
      """)
    guard let row = rows.first else { throw UnknownLearner(learner) }
    let (pushes, reviews): (Int, Int) = (try row[0], try row[1])
    return LearnerExplanation(
      lines: [
        "\(pushes.counted("push", "pushes")) that ended before \(expired.firstPushDay) can go",
        "\(reviews.counted("review")) from before \(expired.firstReviewDay) can go",
      ],
      facts: [
        "pushes": .integer(pushes), "pushes_before": .string("\(expired.firstPushDay)"),
        "reviews": .integer(reviews), "reviews_before": .string("\(expired.firstReviewDay)"),
      ])
  }
}

extension PurgeExpired: Reporter {
  public func report(
    on period: Range<Instant>, counted: Counters, at now: Instant,
    _ connection: borrowing Connection
  ) throws -> LearnerReport {
    LearnerReport(
      "Old rows",
      [
        .init(counted["pushes"], "pushes deleted"), .init(counted["reviews"], "reviews deleted"),
      ])
  }
}

extension PurgeExpired: LearningJob {
  package static var settings: [AnyRule] { PurgeRules.settings }

  package init(_ book: RuleBook, _ services: LearningServices) {
    self.init(rules: PurgeRules(book))
  }
}
