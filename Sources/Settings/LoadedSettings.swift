public import Config
package import JobKit
public import LocalTime

/// Settings that can be used, the zone data they were checked against, and what is odd about them.
public struct LoadedSettings: Sendable {
  public let settings: Settings
  public let zones: ZoneDatabase
  /// What is allowed and may still not be what was meant.
  public let warnings: [Problem]
  /// Every setting that was asked for.
  public let known: [KnownSetting]
  /// The jobs that the settings themselves describe, text and all.
  package let described: [any SettingsJob]
}
