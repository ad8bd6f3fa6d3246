internal import Config
internal import JobKit

/// Whether the settings have an app, with all of its jobs.
public struct AppSettings: Sendable, Equatable {
  public let name: String
  public let isOn: Bool

  var line: SettingLine { .init(name: "apps.\(name)", value: "\(isOn)") }
}

extension AppSwitch {
  /// Why the settings may not have what only the app has; nothing where they may.
  func reason(_ settings: [AppSettings]) -> String? {
    guard !isIncluded || !settings.contains(where: { $0.name == name && $0.isOn }) else {
      return nil
    }
    return settings.contains { $0.name == name && $0.isOn }
      ? "is of the app '\(name)', without which this process was started: start it again"
      : "is of the app '\(name)', which is off: take it out, or write '\(name) = true' below [apps]"
  }
}
