import JobKit

extension JobDefinition {
  /// Often enough that a window of 45 minutes is never missed.
  static let scheduleDailyPush = JobDefinition(
    name: "schedule_daily_push",
    purpose: "plans each learner's one push of the day, at the minute that suits them",
    schedule: .cron("*/5 * * * *"))
}
