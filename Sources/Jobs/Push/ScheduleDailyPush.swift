package import Config
public import JobKit
import LocalTime
import Postgres

extension JobDefinition {
  /// Often enough that a window of 45 minutes is never missed.
  static let scheduleDailyPush = JobDefinition(
    name: "schedule_daily_push",
    purpose: "plans each learner's one push of the day, at the minute that suits them",
    schedule: .cron("*/5 * * * *"), policies: .ofPushPlanning, parts: 2, arguments: [.full],
    needs: .ofPushPlan)
}

extension Policies {
  /// Without bounds: a run that is held would be an evening without pushes.
  ///
  /// How many windows begin goes with the hour and the zones. What goes out has bounds where it goes out.
  fileprivate static var ofPushPlanning: Policies {
    var policies = Policies()
    // A push belongs to its minute: whatever the past would plan is over.
    policies.mayBackfill = false
    return policies
  }
}

/// Plans the one push of each learner's local day, when its window begins.
///
/// It looks at those whose window begins, and at those of whom something is new: what it costs does not
/// depend on how many others there are.
public struct ScheduleDailyPush: Job {
  let rules: PushRules

  public init(rules: PushRules = PushRules()) {
    self.rules = rules
  }

  public var definition: JobDefinition { .scheduleDailyPush }

  public let hasExternalEffects = false

  public func plan(_ context: borrowing JobContext) throws -> Int? {
    let scan = try IncrementalScan(ofAllParts: definition.name, in: context)
    return try learners(in: scan, context).count(in: context)
  }

  public func run(_ context: inout JobContext) throws -> Outcome {
    let scan = try IncrementalScan(of: definition.name, in: context)
    let learners = try LearnerList(of: learners(in: scan, context), in: context)
    // Whoever is new is so too when everybody is looked at: the mark passes them.
    var planningScan = PushPlanningScan(
      of: learners, in: scan, since: scan.since, by: rules, in: context)
    let chunk = ChunkSize(always: rules.chunk)
    try context.inChunks(of: chunk, isDurable: false) { connection, progress, most in
      try planningScan.oneChunk(of: most, &progress, on: connection)
    }
    return Outcome(planningScan.summary(of: context.progress))
  }

  /// The learners to look at: everybody the first time, and when it is asked for.
  private func learners(in scan: IncrementalScan, _ context: borrowing JobContext) -> Learners {
    guard scan.since != nil, context.arguments["full"] != "true" else {
      return .everyone
    }
    let horizon = scan.asOf.advanced(bySeconds: rules.lead)
    return .found(by: PushLearners.query(until: horizon, isNew: scan.isNew))
  }
}

extension ScheduleDailyPush: LearningJob {
  package static var settings: [AnyRule] { PushRules.settings }

  package init(_ book: RuleBook, _ services: LearningServices) {
    self.init(rules: PushRules(book))
  }
}
