package import Config
public import JobKit
public import LocalTime
public import Postgres

extension JobDefinition {
  /// Once a day, when few are awake to see it switch.
  static let refreshLeaderboard = JobDefinition(
    name: "refresh_leaderboard",
    purpose: "ranks learners anew and switches readers to the new leaderboard in one step",
    schedule: .cron("0 4 * * *"), policies: policies, arguments: [.full], needs: .ofBoards)

  private static var policies: Policies {
    var policies = Policies()
    // There is one board, and the newest run makes it.
    policies.mayBackfill = false
    policies.bounds.most = 2_000_000
    return policies
  }
}

/// Ranks learners anew and switches readers to the new leaderboard in one step.
///
/// Scores are added up for learners with new sessions only, and those who are new in another way: what changes
/// of their entries is written for the version that comes next, beside what readers see. The part of the
/// run that is done last with its scores then marks places on all boards, in the order of an index.
public struct RefreshLeaderboard: Job {
  public let definition = JobDefinition.refreshLeaderboard
  public let hasExternalEffects = false

  let rules: LeaderboardRules

  /// How many learners are added up in one transaction.
  private let chunk: ChunkSize
  private let stride: Int

  public init(rules: LeaderboardRules = LeaderboardRules()) {
    self.init(rules: rules, chunk: ChunkSize(from: 2000, upTo: 8000))
  }

  init(rules: LeaderboardRules = LeaderboardRules(), chunk: ChunkSize, stride: Int = 128) {
    (self.rules, self.chunk, self.stride) = (rules, chunk, stride)
  }

  public func plan(_ context: borrowing JobContext) throws -> Int? {
    let scan = try IncrementalScan(ofAllParts: definition.name, in: context)
    return try Self.touched(in: scan, context).count(in: context)
  }

  public func run(_ context: inout JobContext) throws -> Outcome {
    let scan = try IncrementalScan(of: definition.name, in: context)
    let refresh = BoardRefresh(
      scan: scan, touched: try LearnerList(of: Self.touched(in: scan, context), in: context),
      rules: rules, stride: stride)
    try context.inChunks(of: chunk, isDurable: false) { connection, progress, most in
      try connection.run(PlanSettings.byIndex)
      return try refresh.step(of: most, &progress, on: connection)
    }
    let counters = context.progress.counters
    let boards = counters["boards"]
    guard boards == 0 else {
      return Outcome(
        "switched readers to \(boards.counted("new board")),"
          + " \(counters["entries"].counted("entry", "entries"))")
    }
    return Outcome(try Self.whyNoBoards(context))
  }

  /// Why the run has made no boards, and which ones readers see instead.
  private static func whyNoBoards(_ context: borrowing JobContext) throws -> String {
    guard context.percent == 100 else {
      return "added up scores of \(context.percent)% of learners; a canary run makes no boards"
    }
    let latest: Instant? = try context.query(
      "SELECT max(last_updated) FROM learning.leaderboards WHERE is_current"
    ).only[0]
    guard let latest, latest >= context.scheduledFor else {
      return "added up scores; the part that ends last makes the boards"
    }
    return latest == context.scheduledFor
      ? "the boards of \(latest) are there already: this run made none"
      : "no boards for \(context.scheduledFor): readers already see those of \(latest), and no run"
        + " goes back before them"
  }

  /// The learners whose scores are added up: everybody the first time, and when it is asked for.
  private static func touched(
    in scan: IncrementalScan, _ context: borrowing JobContext
  ) -> Learners {
    guard scan.since != nil, context.arguments["full"] != "true" else {
      return .everyone
    }
    return .found(
      by: """
        SELECT user_id FROM learning.sessions
        WHERE \(scan.isNew("server_received_at", "written_in"))
        UNION ALL
        SELECT user_id FROM learning.users WHERE \(scan.isNew("changed_at", "written_in"))
        """)
  }
}

extension RefreshLeaderboard: Reporter {
  /// How often boards were renewed, and how fresh they are.
  public func report(
    on period: Range<Instant>, counted: Counters, at now: Instant,
    _ connection: borrowing Connection
  ) throws -> LearnerReport {
    let row = try connection.run(
      """
      SELECT min(last_updated) AS oldest, count(*) FILTER (WHERE cache_expires_at < \(now)) AS stale
      FROM learning.leaderboards WHERE is_current
      """
    ).only
    let (oldest, stale): (Instant?, Int) = (try row["oldest"], try row["stale"])
    let remark = oldest.map { oldest in
      stale == 0
        ? "all fresh: the oldest was made \(Self.hours(now - oldest)) ago"
        : "\(stale) out of date: the oldest was made \(Self.hours(now - oldest)) ago"
    }
    return LearnerReport(
      "Leaderboards", [.init(counted["boards"], "renewed")], remark: remark ?? "there are none yet")
  }

  private static func hours(_ time: Duration) -> String {
    let hours = Int(time / .seconds(3600))
    return hours == 0 ? "less than an hour" : hours == 1 ? "an hour" : "\(hours) hours"
  }
}

extension RefreshLeaderboard: LearningJob {
  package static var settings: [AnyRule] { LeaderboardRules.settings }

  package init(_ book: RuleBook, _ services: LearningServices) {
    var rules = LeaderboardRules(book)
    rules.schedule = services[[JobName: Schedule].self]?[JobDefinition.refreshLeaderboard.name]
    self.init(rules: rules)
  }
}
