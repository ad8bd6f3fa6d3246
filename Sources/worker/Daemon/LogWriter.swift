internal import JobKit
internal import LocalTime

extension Log {
  /// The log of this process on standard error, in the format that fits who reads it.
  static func standardError(_ settings: LogSettings) -> Log {
    let stream = StandardStream.error
    let isTerminal = stream.isTerminal
    // The journal takes the level from a number before the line.
    let isJournal = Environment["JOURNAL_STREAM"] != nil && !isTerminal
    let format = settings.format == .auto ? (isTerminal ? .human : .logfmt) : settings.format
    return Log(from: settings.level, now: { SystemClock.now() }) { line in
      let text =
        switch format {
        case .human: line.human
        case .json: line.json
        case .auto, .logfmt: line.logfmt
        }
      // Work does not stop because nobody can read of it.
      try? stream.write((isJournal ? "<\(line.journalPriority)>" : "") + text + "\n")
    }
  }
}
