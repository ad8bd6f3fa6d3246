import JobKit

extension JobDefinition {
  /// Somewhere a local day ends every hour.
  static let sweepPushOutcomes = JobDefinition(
    name: "sweep_push_outcomes",
    purpose:
      "closes pushes that nobody answered by the end of the local day, and prunes dead tokens",
    schedule: .cron("25 * * * *"))
}
