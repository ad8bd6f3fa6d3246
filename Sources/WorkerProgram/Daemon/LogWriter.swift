internal import JobKit
internal import LocalTime
internal import Runner
internal import Settings

/// Brings the lines of a log to where they are read: into the journal, or onto standard error.
struct LogWriter: Sendable {
  let format: LogFormat
  let journal: Journal?
  let write: @Sendable (String) -> Void

  func take(_ line: LogLine) {
    let text = format.text(of: line)
    if let journal, journal.take(line.journalEntry(saying: text)) { return }
    // A journal that did not take the entry takes the level from a number before the line.
    write((journal == nil ? "" : "<\(line.journalPriority)>") + text + "\n")
  }
}

extension Log {
  /// The log of this process on standard error, in the format that fits who reads it.
  static func standardError(_ settings: LogSettings) -> Log {
    let (stream, journal) = (StandardStream.error, Journal.ofThisProcess)
    let writer = LogWriter(
      format: LogFormat(
        settings.format, isTerminal: stream.isTerminal, isJournal: journal != nil),
      journal: journal,
      // Work does not stop because nobody can read of it.
      write: { text in try? stream.write(text) })
    return Log(from: settings.level, now: { SystemClock.now() }) { line in writer.take(line) }
  }
}

extension LogLine {
  /// The entry of this line in the journal, where each field has a name of its own: `job` is `WORKER_JOB`.
  func journalEntry(saying text: String) -> [(name: String, value: String)] {
    [("MESSAGE", text), ("PRIORITY", "\(journalPriority)"), ("SYSLOG_IDENTIFIER", "worker")]
      + fields.map { ("WORKER_\($0.key.uppercased())", $0.value) }
  }
}
