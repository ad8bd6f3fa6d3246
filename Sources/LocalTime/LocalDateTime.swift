/// What a calendar and a clock on the wall show, to the second: a date and a time of day.
///
/// Without a zone it is no moment: ``Zone/instant(of:)`` says which moment, if any, it is.
public struct LocalDateTime: Sendable, Hashable {
  public let date: CivilDate
  /// Seconds since midnight on the wall, 0 to 86,399.
  public let secondOfDay: Int

  public init(date: CivilDate, secondOfDay: Int) {
    self.date = date
    self.secondOfDay = min(max(secondOfDay, 0), 86_399)
  }

  public init(date: CivilDate, hour: Int, minute: Int = 0, second: Int = 0) {
    self.init(date: date, secondOfDay: hour * 3600 + minute * 60 + second)
  }

  public var hour: Int { secondOfDay / 3600 }

  public var minute: Int { secondOfDay / 60 % 60 }

  public var second: Int { secondOfDay % 60 }
}

extension LocalDateTime {
  /// The local seconds: those since 1970 if the wall showed UTC.
  init(localSeconds: Int) {
    let day = localSeconds.flooredDivision(by: 86_400)
    self.init(date: CivilDate(dayNumber: day), secondOfDay: localSeconds - day * 86_400)
  }

  var localSeconds: Int { date.dayNumber * 86_400 + secondOfDay }
}

extension LocalDateTime: Comparable {
  public static func < (left: LocalDateTime, right: LocalDateTime) -> Bool {
    (left.date, left.secondOfDay) < (right.date, right.secondOfDay)
  }
}

extension LocalDateTime: CustomStringConvertible {
  /// The date and time as in 2026-03-08T02:30:00.
  public var description: String {
    "\(date)T\(digits(hour)):\(digits(minute)):\(digits(second))"
  }

  /// The time of day as in 02:30, with seconds only when there are some.
  public var timeOfDay: String {
    let seconds = second == 0 ? "" : ":\(digits(second))"
    return "\(digits(hour)):\(digits(minute))\(seconds)"
  }
}

extension LocalDateTime {
  /// Reads a date and time without an offset, written as 2026-03-08T02:30:00 or 2026-03-08T02:30.
  public init(_ text: some StringProtocol) throws(TimeTextError) {
    var reader = TextReader(text)
    guard let fields = DateFields(from: &reader), reader.take("T"),
      let time = TimeFields(from: &reader, needsSeconds: false), reader.isAtEnd
    else {
      throw .notALocalTime(String(text))
    }
    self.init(
      date: try fields.date(in: String(text)), secondOfDay: try time.secondOfDay(in: String(text)))
  }
}
