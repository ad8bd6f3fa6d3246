extension PosixRule {
  /// Reads the footer of a zone file, such as EST5EDT,M3.2.0,M11.1.0 or <+0330>-3:30.
  init?(_ text: String) {
    var reader = TextReader(text)
    guard let standard = reader.nameAndOffset() else { return nil }
    standardOffset = standard
    guard !reader.isAtEnd else {
      daylight = nil
      return
    }
    guard let daylight = Daylight(from: &reader, standardOffset: standard), reader.isAtEnd else {
      return nil
    }
    self.daylight = daylight
  }
}

extension PosixRule.Daylight {
  fileprivate init?(from reader: inout TextReader, standardOffset: Int) {
    guard reader.name() else { return nil }
    if reader.next == "," {
      offset = standardOffset + 3600
    } else {
      guard let written = reader.offset() else { return nil }
      offset = written
    }
    guard reader.take(","), let start = PosixRule.YearDay(from: &reader),
      reader.take(","), let end = PosixRule.YearDay(from: &reader)
    else { return nil }
    (self.start, self.end) = (start, end)
  }
}

extension PosixRule.YearDay {
  fileprivate init?(from reader: inout TextReader) {
    guard let day = Day(from: &reader) else { return nil }
    self.day = day
    guard reader.take("/") else {
      seconds = 7200
      return
    }
    guard let seconds = reader.signedTime(hours: 0...167) else { return nil }
    self.seconds = seconds
  }
}

extension PosixRule.YearDay.Day {
  fileprivate init?(from reader: inout TextReader) {
    if reader.take("M") {
      guard let month = reader.number(digits: 1...2), (1...12).contains(month), reader.take("."),
        let week = reader.number(digits: 1...1), (1...5).contains(week), reader.take("."),
        let weekday = reader.number(digits: 1...1), (0...6).contains(weekday)
      else { return nil }
      self = .weekday(month: month, week: week, weekday: weekday)
    } else if reader.take("J") {
      guard let day = reader.number(digits: 1...3), (1...365).contains(day) else { return nil }
      self = .julian(day)
    } else {
      guard let day = reader.number(digits: 1...3), (0...365).contains(day) else { return nil }
      self = .zeroBased(day)
    }
  }
}

extension TextReader {
  fileprivate mutating func nameAndOffset() -> Int? {
    guard name() else { return nil }
    return offset()
  }

  /// Takes an abbreviation, quoted as in <+0330> when it is not all letters.
  fileprivate mutating func name() -> Bool {
    guard take("<") else { return take(while: Self.isLetter).count >= 3 }
    let quoted = take { Self.isLetter($0) || (48...57).contains($0) || $0 == 43 || $0 == 45 }
    return quoted.count >= 3 && take(">")
  }

  /// An offset as seconds east of UTC: POSIX writes it as hours west.
  fileprivate mutating func offset() -> Int? {
    signedTime(hours: 0...24).map { -$0 }
  }

  /// Takes hh[:mm[:ss]] with an optional sign, as seconds.
  fileprivate mutating func signedTime(hours: ClosedRange<Int>) -> Int? {
    let sign = take("-") ? -1 : 1
    if sign == 1 { _ = take("+") }
    guard let hour = number(digits: 1...3), hours.contains(hour) else { return nil }
    guard take(":") else { return sign * hour * 3600 }
    guard let minute = number(digits: 2...2), minute < 60 else { return nil }
    guard take(":") else { return sign * (hour * 3600 + minute * 60) }
    guard let second = number(digits: 2...2), second < 60 else { return nil }
    return sign * (hour * 3600 + minute * 60 + second)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (97...122).contains(byte | 0x20)
  }
}
