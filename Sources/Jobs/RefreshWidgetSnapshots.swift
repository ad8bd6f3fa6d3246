import JobKit

extension JobDefinition {
  /// A widget may be a few minutes old.
  static let refreshWidgetSnapshots = JobDefinition(
    name: "refresh_widget_snapshots",
    purpose: "renews what the app's home screen widgets show",
    schedule: .every(.seconds(300)))
}
