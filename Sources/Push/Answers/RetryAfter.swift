internal import LocalTime

/// When a provider wants to be asked again: its header `retry-after`.
enum RetryAfter {
  /// The wait that it asks for at `now`, from a second to an hour; nothing when it cannot be read.
  static func wait(_ text: String?, at now: Instant) -> Duration? {
    guard let text = text.map(trimmed), !text.isEmpty else { return nil }
    let seconds =
      text.utf8.allSatisfy { (48...57).contains($0) }
      ? Int(text) ?? .max : date(text).map { $0 - now.secondsSince1970 }
    return seconds.map { .seconds(min(max($0, 1), 3600)) }
  }

  private static func trimmed(_ text: String) -> String {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    return String(text.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
  }

  /// The seconds since 1970 of a date as in `Sun, 06 Nov 1994 08:49:37 GMT`.
  private static func date(_ text: String) -> Int? {
    let words = text.split(separator: " ")
    guard words.count == 6, words[5] == "GMT", let day = Int(words[1]),
      let month = months.firstIndex(of: String(words[2])), let year = Int(words[3]),
      let date = CivilDate(year: year, month: month + 1, day: day)
    else { return nil }
    let clock = words[4].split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2],
      (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    return date.dayNumber * 86_400 + hour * 3600 + minute * 60 + second
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
