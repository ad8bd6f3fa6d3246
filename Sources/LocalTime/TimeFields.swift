/// A time of day as digits, before anything is known to be in range.
struct TimeFields {
  let hour: Int
  let minute: Int
  let second: Int

  init?(from reader: inout TextReader, needsSeconds: Bool) {
    guard let hour = reader.number(digits: 2...2), reader.take(":"),
      let minute = reader.number(digits: 2...2)
    else { return nil }
    (self.hour, self.minute) = (hour, minute)
    guard reader.take(":") else {
      guard !needsSeconds else { return nil }
      second = 0
      return
    }
    guard let second = reader.number(digits: 2...2) else { return nil }
    self.second = second
  }

  func secondOfDay(in text: String) throws(TimeTextError) -> Int {
    guard second != 60 else { throw .leapSecond(text) }
    guard hour < 24, minute < 60, second < 60 else { throw .noSuchTime(text) }
    return hour * 3600 + minute * 60 + second
  }
}
