import JobKit

extension JobDefinition {
  /// A push belongs to a minute, so this looks every minute.
  static let deliverPushes = JobDefinition(
    name: "deliver_pushes",
    purpose: "hands planned pushes to the transport in their minute",
    schedule: .cron("* * * * *"))
}
