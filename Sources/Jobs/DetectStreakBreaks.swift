public import JobKit
import LocalTime
import Postgres

extension JobDefinition {
  /// Zones differ by quarters of an hour, and so do their midnights.
  static let detectStreakBreaks = JobDefinition(
    name: "detect_streak_breaks",
    purpose: "finds streaks that ended at a learner's local midnight, and repairs or resets them",
    schedule: .cron("*/15 * * * *"), policies: streakPolicies, parts: 2)

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
  static let chunk = 2000

  public init(rules: StreakRules = StreakRules()) {
    self.rules = rules
  }

  public func plan(_ context: borrowing JobContext) throws -> Int? {
    let mark = try savedMark(in: context)
    let learners = Self.learners(since: mark, at: context.scheduledFor)
    return try context.look("SELECT count(DISTINCT user_id) FROM (\(learners)) AS found").only[0]
  }

  public func run(_ context: inout JobContext) throws -> Outcome {
    let (part, percent) = (context.part, context.percent)
    let place = StreakPlace(context.progress.cursor)
    let coming = try place.mark(in: context)
    let mark = try savedMark(in: context)
    let list = try LearnerList(
      Self.learners(since: mark, at: context.scheduledFor), in: context)
    let book = try StreakBook(of: definition.name, by: rules, in: context)
    let bad = try BadSessions(since: mark, in: context)
    var samples: [String] = []
    try context.inChunks { connection, progress in
      let place = StreakPlace(progress.cursor)
      if place.last == nil { try bad.save(by: definition.name, on: connection, &progress.counters) }
      let learners = Array(list.next(Self.chunk, after: place.last))
      samples += try book.update(learners, on: connection, &progress.counters)
      progress.total = list.ids.count
      progress.done += learners.count
      guard let last = learners.last, learners.count == Self.chunk else {
        // A canary has seen the news of a few learners only, so the others' are still news.
        if percent == 100 { try coming.save(for: definition.name, of: part, on: connection) }
        return .finished
      }
      progress.cursor = StreakPlace(last: "\(last)", seenIn: coming.seenIn).cursor
      return .more
    }
    return Self.outcome(of: context, samples)
  }

  private static func outcome(of context: borrowing JobContext, _ samples: [String]) -> Outcome {
    let counters = context.progress.counters
    let words =
      "\(context.progress.done) learners: \(counters["broken"]) streaks broken,"
      + " \(counters["repairable"]) repairable, \(counters["repaired"]) repaired"
    guard context.isDryRun, !samples.isEmpty else { return Outcome(words) }
    return Outcome("\(words); would note: " + samples.prefix(5).joined(separator: "; "))
  }

  /// Everything was seen up to here; nothing when everybody is to be looked at.
  private func savedMark(in context: borrowing JobContext) throws -> Watermark? {
    guard context.arguments["full"] != "true" else { return nil }
    return try Watermark.saved(for: definition.name, of: context.part, in: context)
  }

  /// Who may have missed a day by `moment`, and whose studies, repairs or zone are news.
  static func learners(since mark: Watermark?, at moment: Instant) -> Statement {
    guard let mark else { return "SELECT user_id FROM learning.users" }
    return """
      SELECT user_id FROM learning.streaks WHERE check_at <= \(moment)
      UNION ALL
      SELECT user_id FROM learning.sessions
      WHERE \(mark.isNew("server_received_at", "written_in")) AND completed
        AND server_received_at <= \(moment)
      UNION ALL
      SELECT user_id FROM learning.streak_repairs
      WHERE state = 'accepted' AND accepted_at <= \(moment)
      UNION ALL
      SELECT user_id FROM learning.users
      WHERE \(mark.isNew("changed_at", "written_in")) AND changed_at <= \(moment)
      """
  }
}
