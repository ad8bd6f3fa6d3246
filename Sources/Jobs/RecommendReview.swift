import JobKit

extension JobDefinition {
  /// Soon after a session, and never a scan of those who did nothing.
  static let recommendReview = JobDefinition(
    name: "recommend_review",
    purpose:
      "measures how well each learner knows each pattern, and recommends the weakest for review",
    schedule: .cron("*/15 * * * *"))
}
