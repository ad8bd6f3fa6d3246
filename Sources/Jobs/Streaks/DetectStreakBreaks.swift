package import Config
public import JobKit
public import LocalTime
public import Postgres

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
  public let hasExternalEffects = false

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
    let scan = try IncrementalScan(ofAllParts: definition.name, in: context)
    return try Self.learners(in: scan, context).count(in: context)
  }

  public func run(_ context: inout JobContext) throws -> Outcome {
    let scan = try IncrementalScan(of: definition.name, in: context)
    var store = try StreakStore(
      of: definition.name, by: rules, asOf: scan.asOf, since: scan.since, in: context)
    let list =
      try store.learnersToUpdate(in: context) ?? LearnerList(of: .everyone, in: context)
    let bad = BadSessions(in: scan, context)
    try context.inPages(
      of: list, in: scan, by: chunk, isDurable: false,
      ending: { try bad.save(on: $0, &$1.counters) }
    ) { connection, progress, learners in
      try store.update(learners, on: connection, &progress)
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

  private static func learners(in scan: IncrementalScan, _ context: borrowing JobContext)
    -> Learners
  {
    guard let since = scan.since, context.arguments["full"] != "true" else {
      return .everyone
    }
    return .found(by: learners(since: since, asOf: scan.asOf))
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

extension DetectStreakBreaks: LearnerExplainer {
  /// Tells the learner's chain, why it broke or not, what can be repaired until when, and the tokens.
  public func explain(
    _ learner: Int, on day: CivilDate?, at now: Instant, in zones: ZoneDatabase,
    _ connection: borrowing Connection
  ) throws -> LearnerExplanation {
    let names = try connection.run(
      "SELECT zone FROM learning.users WHERE user_id = \(learner)")
    guard let name: String = try names.first?[0] else { throw UnknownLearner(learner) }
    var known = KnownZones(of: zones)
    guard let zone = try known.zone(named: name) else {
      return LearnerExplanation(
        lines: ["the zone '\(name)' is one that nobody knows: no streak until it is corrected"],
        facts: ["zone": .string(name), "quarantined": "unknown_zone"])
    }
    guard let streak = try StreakRow.seen([learner], on: connection).first else {
      return LearnerExplanation(
        lines: ["no streak yet: no run has seen a study of the learner"], facts: ["state": "none"])
    }
    let question = StreakQuestion(streak, reaching: .everything, at: now)
    let row = try connection.run(StreakStore.query([question])).only
    let facts = try StreakFacts(row, of: question, in: zone, knowing: &known)
    let story = StreakStory(
      facts: facts, changes: try StreakReducer.changes(facts, by: rules),
      events: try Self.events(of: learner, on: day, connection),
      entries: try Self.entries(of: learner, connection), rules: rules, day: day)
    return LearnerExplanation(lines: story.lines, facts: story.json)
  }

  /// The latest events, or those about a day, oldest first.
  private static func events(
    of learner: Int, on day: CivilDate?, _ connection: borrowing Connection
  ) throws -> [StreakEvent] {
    try connection.run(
      """
      SELECT event, day, cause, length_before, length_after, at FROM learning.streak_events
      WHERE user_id = \(learner) AND (day = \(day) OR \(day) IS NULL) ORDER BY number DESC LIMIT 5
      """
    ).reversed().map { row in
      StreakEvent(
        kind: try row[0], day: try row[1], cause: try row[2], lengthBefore: try row[3],
        lengthAfter: try row[4], at: try row[5])
    }
  }

  /// The latest token entries, oldest first.
  private static func entries(
    of learner: Int, _ connection: borrowing Connection
  ) throws -> [TokenEntry] {
    try connection.run(
      """
      SELECT entry, reason, at FROM learning.token_entries WHERE user_id = \(learner)
      ORDER BY at DESC, entry LIMIT 5
      """
    ).reversed().map { row in
      TokenEntry(key: try row[0], reason: try row[1], at: try row[2])
    }
  }
}

extension StreakEvent.Kind: PostgresValue {}
extension StreakEvent.Cause: PostgresValue {}
extension TokenEntry.Reason: PostgresValue {}

extension DetectStreakBreaks: Reporter {
  /// Settling rewards brings streaks up to date as well.
  public var countedBy: [JobName] { [definition.name, JobDefinition.settleRewards.name] }

  /// What became of streaks; what the first run replayed of the past is no part of it.
  public func report(
    on period: Range<Instant>, counted: Counters, at now: Instant,
    _ connection: borrowing Connection
  ) throws -> LearnerReport {
    LearnerReport(
      "Streaks",
      [
        .init(counted["extended"], "days added"), .init(counted["broken"], "broken"),
        .init(counted["repairable"], "repairs offered"), .init(counted["repaired"], "repaired"),
      ])
  }
}

extension DetectStreakBreaks: LearningJob {
  package static var settings: [AnyRule] { StreakRules.settings }

  package init(_ book: RuleBook, _ services: LearningServices) {
    self.init(rules: StreakRules(book))
  }
}
