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
    guard let mark = try mark(in: context) else { return try everyone(in: context).count }
    let share = context.share(of: "user_id")
    let query = PushLearners.query(until: horizon(of: context.scheduledFor), since: mark)
    return try context.look(
      "SELECT count(DISTINCT user_id) FROM (\(query)) AS found WHERE \(share)"
    ).only[0]
  }

  public func run(_ context: inout JobContext) throws -> Outcome {
    var tour = try tour(in: context)
    try context.inChunks { connection, progress in
      try tour.oneChunk(&progress, on: connection)
    }
    return Outcome(tour.summary(of: context.progress))
  }

  private func tour(in context: borrowing JobContext) throws -> PushTour {
    // Asked for before anything is read: what commits in between is read again by the next run.
    let coming = try Watermark.coming(at: context.scheduledFor, in: context)
    guard let mark = try mark(in: context) else {
      let learners = try everyone(in: context)
      return PushTour(of: learners, since: nil, coming: coming, by: rules, in: context)
    }
    let query = PushLearners.query(until: horizon(of: context.scheduledFor), since: mark)
    let learners = PushLearners.listed(try LearnerList(query, in: context))
    return PushTour(of: learners, since: mark, coming: coming, by: rules, in: context)
  }

  private func everyone(in context: borrowing JobContext) throws -> PushLearners {
    let share = context.share(of: "user_id")
    let count: Int = try context.look("SELECT count(*) FROM learning.users WHERE \(share)").only[0]
    return .everyone(share: share, count: count)
  }

  private func horizon(of moment: Instant) -> Instant { moment.advanced(bySeconds: rules.lead) }

  /// Where the last run left off, unless everybody is to be looked at.
  private func mark(in context: borrowing JobContext) throws -> Watermark? {
    guard context.arguments["full"] != "true" else { return nil }
    return try Watermark.saved(for: definition.name, of: context.part, in: context)
  }
}
