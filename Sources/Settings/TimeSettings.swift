package import Config

/// Which clocks on the wall schedules follow, and where their rules come from: the table `[time]`.
public struct TimeSettings: Sendable, Equatable {
  /// The zone of every job that names none.
  public var zone = "UTC"
  /// The folder of zone files; nothing means `$TZDIR`, or the system's own.
  public var zoneinfo: String?

  public init() {}
}

extension TimeSettings: SettingsTable {
  package static var fields: [SettingField<Self>] {
    [
      .init("zone", \.zone, as: .zone),
      .init("zoneinfo", \.zoneinfo, as: .path(suchAs: "/usr/share/zoneinfo")),
    ]
  }
}
