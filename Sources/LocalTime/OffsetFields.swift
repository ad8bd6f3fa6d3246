/// An offset from UTC as digits, before anything is known to be in range.
struct OffsetFields {
  private let sign: Int
  private let hour: Int
  private let minute: Int

  init?(from reader: inout TextReader) {
    guard !reader.take("Z") else {
      (sign, hour, minute) = (0, 0, 0)
      return
    }
    sign = reader.next == "-" ? -1 : 1
    guard reader.take("-") || reader.take("+"),
      let hour = reader.number(digits: 2...2), reader.take(":"),
      let minute = reader.number(digits: 2...2)
    else { return nil }
    (self.hour, self.minute) = (hour, minute)
  }

  func seconds(in text: String) throws(TimeTextError) -> Int {
    guard hour < 24, minute < 60 else { throw .noSuchOffset(text) }
    return sign * (hour * 3600 + minute * 60)
  }
}
