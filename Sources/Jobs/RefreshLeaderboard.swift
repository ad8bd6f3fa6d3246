import JobKit

extension JobDefinition {
  /// Once a day, when few are awake to see it switch.
  static let refreshLeaderboard = JobDefinition(
    name: "refresh_leaderboard",
    purpose: "ranks learners anew and switches readers to the new leaderboard in one step",
    schedule: .cron("0 4 * * *"))
}
