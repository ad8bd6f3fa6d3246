internal import Config
public import LocalTime
public import Settings

/// One event, before it is written in one of the formats; a field without a value is left out.
public struct LogLine: Sendable {
  public let at: Instant
  public let level: LogSettings.Level
  public let message: String
  public let fields: [(key: String, value: String)]

  public init(
    at: Instant, level: LogSettings.Level, message: String,
    fields: [(key: String, value: String)] = []
  ) {
    self.at = at
    self.level = level
    self.message = message
    self.fields = fields.filter { !$0.value.isEmpty }
  }
}

extension LogLine {
  /// The line for people, who read the message first.
  public var human: String {
    let time = at.description.dropFirst(11).prefix(8)
    return "\(time) \(level.rawValue.padded(to: 7)) \(timeless)"
  }

  /// The same where time and level stand beside the line, as in the journal.
  public var timeless: String {
    Self.onOneLine(message).withVisibleControls
      + fields.map { " \($0.key)=\(Self.quoted($0.value))" }.joined()
  }

  /// The line as `key=value` words.
  public var logfmt: String {
    let start = "ts=\(at) level=\(level.rawValue) msg=\(Self.quoted(message))"
    return start + fields.map { " \($0.key)=\(Self.quoted($0.value))" }.joined()
  }

  /// The line as a JSON object.
  public var json: String {
    let start: [JSON.Member] = [
      .init("ts", .string(at.description)), .init("level", .string(level.rawValue)),
      .init("msg", .string(message)),
    ]
    return JSON.object(start + fields.map { JSON.Member($0.key, .string($0.value)) }).compact
  }

  /// The priority by which the journal knows the level.
  public var journalPriority: Int {
    switch level {
    case .debug: 7
    case .info: 6
    case .warning: 4
    case .error: 3
    }
  }

  private static func quoted(_ value: String) -> String {
    let isPlain =
      !value.isEmpty
      && value.unicodeScalars.allSatisfy { scalar in
        scalar.value > 0x20 && scalar.value != 0x7F && scalar != "\"" && scalar != "="
          && scalar != "\\" && !scalar.isHidden
      }
    return isPlain ? value : JSON.string(value).compact
  }

  private static func onOneLine(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 })
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
