public import JobKit
import LocalTime
import Postgres

extension JobDefinition {
  /// A widget may be a few minutes old.
  static let refreshWidgetSnapshots = JobDefinition(
    name: "refresh_widget_snapshots",
    purpose: "renews what the app's home screen widgets show",
    schedule: .every(.seconds(300)), policies: policies, arguments: [.full], needs: .ofWidgets)

  private static var policies: Policies {
    var policies = Policies()
    // A widget shows now, and nothing of the past.
    policies.mayBackfill = false
    policies.bounds.most = 2_000_000
    return policies
  }
}

/// Renews what the app's home screen widgets show.
///
/// It looks at learners with new sessions, changed streaks or tokens, or a local day that has begun
/// since the last run, and writes only what shows something else.
public struct RefreshWidgetSnapshots: Job {
  public let definition = JobDefinition.refreshWidgetSnapshots
  public let worksInPostgresAlone = true

  let rules: WidgetRules
  private let chunk: ChunkSize

  public init(rules: WidgetRules = WidgetRules()) {
    self.init(rules: rules, chunk: ChunkSize(from: 2000, upTo: 8000))
  }

  init(rules: WidgetRules = WidgetRules(), chunk: ChunkSize) {
    (self.rules, self.chunk) = (rules, chunk)
  }

  public func plan(_ context: borrowing JobContext) throws -> Int? {
    let round = try Round(ofAllParts: definition.name, in: context)
    return try Self.touched(in: round, context).count(in: context)
  }

  public func run(_ context: inout JobContext) throws -> Outcome {
    let round = try Round(of: definition.name, in: context)
    let snapshots = WidgetSnapshots(
      asOf: round.asOf, zones: try ZoneTable(of: context.zones, at: round.asOf), rules: rules)
    let touched = try LearnerList(of: Self.touched(in: round, context), in: context)
    try context.inPages(of: touched, in: round, by: chunk) { connection, progress, ids in
      try connection.run(WidgetSnapshots.plans)
      let renewed = try snapshots.refresh(ids, by: round.job, on: connection)
      if progress.wantsExamples {
        for example in try snapshots.examples(of: ids, on: connection) { progress.show(example) }
      }
      progress.counters.count("learners", ids.count)
      progress.counters.count("snapshots_changed", renewed.snapshots)
      progress.counters.count("quarantined", renewed.quarantined)
    }
    return Outcome("looked at \(context.progress.done.counted("learner"))")
  }

  /// The learners to look at: everybody the first time, and when it is asked for.
  private static func touched(
    in round: Round, _ context: borrowing JobContext
  ) throws -> Learners {
    guard let since = round.since, context.arguments["full"] != "true" else {
      return .everyone
    }
    let begun = try DaysBegun(from: since.seenUntil, to: round.asOf, in: context.zones)
    return .found(
      by: """
        SELECT user_id FROM learning.sessions
        WHERE \(round.isNew("server_received_at", "written_in"))
        UNION ALL
        SELECT user_id FROM learning.users WHERE \(since.isNew("changed_at", "written_in"))
        UNION ALL SELECT user_id FROM learning.widget_changes
        UNION ALL \(begun.learners)
        """)
  }
}
