internal import JobKit
internal import Runner
internal import Settings

/// How the lines of a log look.
enum LogFormat {
  case human
  case inJournal
  case logfmt
  case json

  /// The format that the settings name, or that fits who reads.
  init(_ setting: LogSettings.Format, isTerminal: Bool, isJournal: Bool) {
    self =
      switch setting {
      case .human: .human
      case .logfmt: .logfmt
      case .json: .json
      case .auto: isTerminal ? .human : isJournal ? .inJournal : .logfmt
      }
  }

  func text(of line: LogLine) -> String {
    switch self {
    case .human: line.human
    case .inJournal: line.timeless
    case .logfmt: line.logfmt
    case .json: line.json
    }
  }
}
