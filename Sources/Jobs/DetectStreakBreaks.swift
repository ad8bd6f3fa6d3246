import JobKit

extension JobDefinition {
  /// Zones differ by quarters of an hour, and so do their midnights.
  static let detectStreakBreaks = JobDefinition(
    name: "detect_streak_breaks",
    purpose: "finds streaks that ended at a learner's local midnight, and repairs or resets them",
    schedule: .cron("*/15 * * * *"))
}
