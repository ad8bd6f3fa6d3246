public import LocalTime
public import Settings

/// Where a program says what happens: one event, one line.
public struct Log: Sendable {
  private let level: LogSettings.Level
  private let now: @Sendable () -> Instant
  private let write: @Sendable (LogLine) -> Void

  /// A log of everything from `level` on; `now` stamps the lines, `write` brings them where they are read.
  public init(
    from level: LogSettings.Level, now: @escaping @Sendable () -> Instant,
    write: @escaping @Sendable (LogLine) -> Void
  ) {
    self.level = level
    self.now = now
    self.write = write
  }

  /// A log that nobody reads.
  public static let silent = Log(from: .error, now: { Instant(microseconds: 0) }, write: { _ in })

  public func debug(_ message: String, _ fields: KeyValuePairs<String, String> = [:]) {
    log(.debug, message, fields)
  }

  public func info(_ message: String, _ fields: KeyValuePairs<String, String> = [:]) {
    log(.info, message, fields)
  }

  public func warning(_ message: String, _ fields: KeyValuePairs<String, String> = [:]) {
    log(.warning, message, fields)
  }

  public func error(_ message: String, _ fields: KeyValuePairs<String, String> = [:]) {
    log(.error, message, fields)
  }

  private func log(
    _ level: LogSettings.Level, _ message: String, _ fields: KeyValuePairs<String, String>
  ) {
    guard level.weight >= self.level.weight else { return }
    write(LogLine(at: now(), level: level, message: message, fields: Array(fields)))
  }
}

extension LogSettings.Level {
  fileprivate var weight: Int {
    switch self {
    case .debug: 0
    case .info: 1
    case .warning: 2
    case .error: 3
    }
  }
}
