public import JobKit
import LocalTime
import Postgres

extension JobDefinition {
  /// Often enough that a window of 45 minutes is never missed.
  static let scheduleDailyPush = JobDefinition(
    name: "schedule_daily_push",
    purpose: "plans each learner's one push of the day, at the minute that suits them",
    schedule: .cron("*/5 * * * *"), policies: .ofPushPlanning)
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

  public let worksInPostgresAlone = true

  public func plan(_ context: borrowing JobContext) throws -> Int? {
    let round = try Round(of: definition.name, in: context)
    let isOfNews = since(round, in: context) != nil
    return try LearnerList.count(isOfNews ? query(in: round) : LearnerList.everyone, in: context)
  }

  public func run(_ context: inout JobContext) throws -> Outcome {
    let round = try Round(of: definition.name, in: context)
    let since = since(round, in: context)
    let learners: PushLearners =
      since == nil
      ? try everyone(in: context) : .listed(try LearnerList(query(in: round), in: context))
    // Whoever is new is so too when everybody is looked at: the mark passes them.
    var tour = PushTour(of: learners, in: round, since: round.since, by: rules, in: context)
    try context.inChunks { connection, progress in
      try tour.oneChunk(&progress, on: connection)
    }
    return Outcome(tour.summary(of: context.progress))
  }

  /// Since when there is news; nothing: everybody is to be looked at.
  private func since(_ round: Round, in context: borrowing JobContext) -> Watermark? {
    context.arguments["full"] == "true" ? nil : round.since
  }

  private func query(in round: Round) -> Statement {
    let horizon = round.asOf.advanced(bySeconds: rules.lead)
    return PushLearners.query(until: horizon, isNew: round.isNew)
  }

  private func everyone(in context: borrowing JobContext) throws -> PushLearners {
    let share = context.share(of: "user_id")
    let count: Int = try context.look("SELECT count(*) FROM learning.users WHERE \(share)").only[0]
    return .everyone(share: share, count: count)
  }
}
