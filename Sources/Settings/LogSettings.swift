package import Config

/// What the worker says, and how: the table `[log]`.
public struct LogSettings: Sendable, Equatable {
  public var format = Format.auto
  public var level = Level.info

  public enum Format: String, Sendable, CaseIterable {
    /// For people on a terminal, short in the journal, else logfmt.
    case auto
    case human
    case logfmt
    case json
  }

  /// The least weighty line that is written.
  public enum Level: String, Sendable, CaseIterable {
    case debug
    case info
    case warning
    case error
  }

  public init() {}
}

extension LogSettings: SettingsTable {
  package static var fields: [SettingField<Self>] {
    [.init("format", \.format, as: .choice), .init("level", \.level, as: .choice)]
  }
}
