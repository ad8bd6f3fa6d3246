internal import LocalTime

/// A file of events that calendars read, as RFC 5545 wants it.
struct ICalendar {
  let events: [Event]
  let writtenAt: Instant

  /// Something that happens at a moment, and takes nobody's time.
  struct Event {
    /// Always the same for the same event: a calendar that reads it again does not show it twice.
    let id: String
    let start: Instant
    let summary: String
    let description: String
  }

  /// Every line with the end that the standard wants.
  var text: String {
    let lines =
      ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//worker//\(Build.version)//EN"]
      + events.flatMap { event in properties(of: event) } + ["END:VCALENDAR"]
    return lines.map { Self.folded($0) + "\r\n" }.joined()
  }

  private func properties(of event: Event) -> [String] {
    [
      "BEGIN:VEVENT", "UID:\(Self.escaped(event.id))", "DTSTAMP:\(Self.text(of: writtenAt))",
      "DTSTART:\(Self.text(of: event.start))", "SUMMARY:\(Self.escaped(event.summary))",
      "DESCRIPTION:\(Self.escaped(event.description))", "TRANSP:TRANSPARENT", "END:VEVENT",
    ]
  }

  /// An instant in UTC, to the second: `20260308T070000Z`.
  static func text(of instant: Instant) -> String {
    let whole = Instant(secondsSince1970: instant.secondsSince1970)
    return whole.description.filter { $0 != "-" && $0 != ":" }
  }

  static func escaped(_ text: String) -> String {
    text.map { character in
      switch character {
      case "\\", ";", ",": "\\\(character)"
      case "\n", "\r", "\r\n": "\\n"
      default: String(character)
      }
    }.joined()
  }

  /// The line in pieces of 75 bytes at most, of which each but the first begins with a blank; no
  /// character is cut.
  static func folded(_ line: String) -> String {
    var (folded, room) = ("", 75)
    for character in line.unicodeScalars {
      let length = String(character).utf8.count
      if length > room {
        folded += "\r\n "
        room = 74
      }
      folded.unicodeScalars.append(character)
      room -= length
    }
    return folded
  }
}
