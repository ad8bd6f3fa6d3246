package import Config
public import JobKit
public import LocalTime
public import Postgres

extension JobDefinition {
  /// Soon after a session, and never a scan of those who did nothing.
  static let recommendReview = JobDefinition(
    name: "recommend_review",
    purpose:
      "measures how well each learner knows each pattern, and recommends the weakest for review",
    schedule: .cron("*/15 * * * *"), policies: policies, parts: 2, arguments: [.full],
    needs: .ofReviews)

  private static var policies: Policies {
    var policies = Policies()
    // The newest run measures what has arrived for those before it, and no review is for a past day.
    policies.mayBackfill = false
    policies.bounds.most = 2_000_000
    return policies
  }
}

/// Measures how well learners know patterns, and recommends the weakest for review.
///
/// What a learner's attempts come to does not depend on when it is measured, so only those are looked at of whom
/// something has arrived since the last run, and only those patterns of theirs are measured.
public struct RecommendReview: Job {
  public let definition = JobDefinition.recommendReview
  public let hasExternalEffects = false

  let rules: ReviewRules

  /// How many learners are worked at in one transaction when everybody is: half as many would have the server begin
  /// twice the COPYs, and take two parts a twenty-fifth longer; twice as many would cost them another 12 MB or more.
  private let chunk: Int

  /// Of how many patterns of learners it is kept in memory that they have new attempts: some hours' worth of three
  /// million learners.
  private let mostNews: Int

  public init(rules: ReviewRules = ReviewRules()) {
    self.init(rules: rules, chunk: 4000)
  }

  init(rules: ReviewRules = ReviewRules(), chunk: Int = 4000, mostNews: Int = 500_000) {
    (self.rules, self.chunk, self.mostNews) = (rules, chunk, mostNews)
  }

  public func plan(_ context: borrowing JobContext) throws -> Int? {
    let scan = try IncrementalScan(ofAllParts: definition.name, in: context)
    return try touched(in: scan, context).count(in: context)
  }

  public func run(_ context: inout JobContext) throws -> Outcome {
    let scan = try IncrementalScan(of: definition.name, in: context)
    let patterns = try ReviewPatterns(under: rules, context.query(ReviewPatterns.query))
    let zones = try ZoneTable(of: context.zones, at: scan.asOf)
    let news =
      mark(of: scan, context) == nil
      ? nil : try NewAnswers(since: scan, atMost: mostNews, in: context)
    let answered = try news?.list ?? answered(since: scan, context)
    let touched = try list(in: scan, with: answered, context)
    var batch = ReviewBatch(
      scan: scan, patterns: patterns, zones: zones, answered: answered, news: news)
    try context.inPages(of: touched, in: scan, by: size(of: news), isDurable: false) {
      connection, progress, ids in
      let coming = Array(touched.next(ids.count, after: ids.last))
      try batch.work(at: ids, before: coming, &progress, on: connection)
    }
    return Outcome("looked at \(context.progress.done.counted("learner"))")
  }

  /// Half as many where there is news of them: what of theirs is known already is read besides, and kept meanwhile.
  private func size(of news: NewAnswers?) -> ChunkSize {
    ChunkSize(always: news == nil ? chunk : max(chunk / 2, 1))
  }

  /// Since when learners have news who are looked at; nothing where that is everybody, as the first time and
  /// when it is asked for.
  private func mark(of scan: IncrementalScan, _ context: borrowing JobContext) -> Watermark? {
    context.arguments["full"] == "true" ? nil : scan.since
  }

  /// The learners to look at, or everybody.
  private func touched(in scan: IncrementalScan, _ context: borrowing JobContext) -> Learners {
    guard let mark = mark(of: scan, context) else { return .everyone }
    return .found(by: "\(Self.answered(since: scan)) UNION ALL \(Self.changed(since: mark))")
  }

  /// The same as a list, with those who have `answered`, for whom it is not asked once more.
  private func list(
    in scan: IncrementalScan, with answered: LearnerList?, _ context: borrowing JobContext
  ) throws -> LearnerList {
    guard let answered, let mark = mark(of: scan, context) else {
      return try LearnerList(of: .everyone, in: context)
    }
    return answered.union(try LearnerList(of: .found(by: Self.changed(since: mark)), in: context))
  }

  /// Those of whom attempts have arrived; nothing before there was a run.
  private func answered(
    since scan: IncrementalScan, _ context: borrowing JobContext
  ) throws -> LearnerList? {
    guard scan.since != nil else { return nil }
    return try LearnerList(of: .found(by: Self.answered(since: scan)), in: context)
  }

  private static func changed(since mark: Watermark) -> Statement {
    "SELECT user_id FROM learning.users WHERE \(mark.isNew("changed_at", "written_in"))"
  }

  private static func answered(since scan: IncrementalScan) -> Statement {
    "SELECT user_id FROM learning.attempts WHERE \(scan.isNew("received_at", "written_in"))"
  }
}

extension RecommendReview: LearnerExplainer {
  public func explain(
    _ learner: Int, on day: CivilDate?, at now: Instant, in zones: ZoneDatabase,
    _ connection: borrowing Connection
  ) throws -> LearnerExplanation {
    let found = try ReviewLearner.read(
      [learner], in: ZoneTable(of: zones, at: now), on: connection)
    guard let facts = found.first else { throw UnknownLearner(learner) }
    let patterns = try ReviewPatterns(under: rules, connection.run(ReviewPatterns.query))
    if let day, day != facts.today {
      return try ReviewHistory.explanation(of: learner, on: day, patterns, connection)
    }
    let standings = try Standings.measure([learner], as: now, patterns: patterns, on: connection)
    return ReviewExplanation(
      of: facts, standings.all(of: learner), at: now, patterns: patterns
    ).explanation
  }
}

extension RecommendReview: LearningJob {
  package static var settings: [AnyRule] { ReviewRules.settings }

  package init(_ book: RuleBook, _ services: LearningServices) {
    self.init(rules: ReviewRules(book))
  }
}
