package import Config
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
  public let hasExternalEffects = false

  let rules: WidgetRules
  private let chunk: ChunkSize

  public init(rules: WidgetRules = WidgetRules()) {
    self.init(rules: rules, chunk: ChunkSize(from: 2000, upTo: 8000))
  }

  init(rules: WidgetRules = WidgetRules(), chunk: ChunkSize) {
    (self.rules, self.chunk) = (rules, chunk)
  }

  public func plan(_ context: borrowing JobContext) throws -> Int? {
    let scan = try IncrementalScan(ofAllParts: definition.name, in: context)
    return try Self.touched(in: scan, context).count(in: context)
  }

  public func run(_ context: inout JobContext) throws -> Outcome {
    let scan = try IncrementalScan(of: definition.name, in: context)
    let snapshots = WidgetSnapshots(
      asOf: scan.asOf, zones: try ZoneTable(of: context.zones, at: scan.asOf), rules: rules)
    let touched = try LearnerList(of: Self.touched(in: scan, context), in: context)
    try context.inPages(of: touched, in: scan, by: chunk) { connection, progress, ids in
      try connection.run(WidgetSnapshots.plans)
      let renewed = try snapshots.refresh(ids, by: scan.job, on: connection)
      if progress.wantsExamples {
        for example in try snapshots.examples(of: ids, on: connection) {
          progress.addExample(example)
        }
      }
      progress.counters.count("learners", ids.count)
      progress.counters.count("snapshots_changed", renewed.snapshots)
      progress.counters.count("quarantined", renewed.quarantined)
    }
    return Outcome("looked at \(context.progress.done.counted("learner"))")
  }

  /// The learners to look at: everybody the first time, and when it is asked for.
  private static func touched(
    in scan: IncrementalScan, _ context: borrowing JobContext
  ) throws -> Learners {
    guard let since = scan.since, context.arguments["full"] != "true" else {
      return .everyone
    }
    let begun = try DaysBegun(from: since.seenUntil, to: scan.asOf, in: context.zones)
    return .found(
      by: """
        SELECT user_id FROM learning.sessions
        WHERE \(scan.isNew("server_received_at", "written_in"))
        UNION ALL
        SELECT user_id FROM learning.users WHERE \(since.isNew("changed_at", "written_in"))
        UNION ALL SELECT user_id FROM learning.widget_changes
        UNION ALL \(begun.learners)
        """)
  }
}

extension RefreshWidgetSnapshots: LearningJob {
  package static var settings: [AnyRule] { WidgetRules.settings }

  package init(_ book: RuleBook, _ services: LearningServices) {
    self.init(rules: WidgetRules(book))
  }
}
