/// A date of the Gregorian calendar, counted in days since 1 January 1970.
public struct Day: Sendable, Hashable, Comparable {
  public var daysSince1970: Int

  /// The date that many days after 1 January 1970.
  public init(daysSince1970: Int) {
    self.daysSince1970 = daysSince1970
  }

  public static func < (one: Day, other: Day) -> Bool {
    one.daysSince1970 < other.daysSince1970
  }
}

extension Day: CustomStringConvertible {
  /// The date as in `2026-03-08`.
  public var description: String {
    // Years begin in March here, so that the leap day is the last of its year.
    let era = (daysSince1970 + 719_468).dividedDown(by: 146_097)
    let dayOfEra = era.remainder
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    let year = yearOfEra + era.quotient * 400 + (month >= 10 ? 1 : 0)
    return "\(year.padded(to: 4))-\((month < 10 ? month + 3 : month - 9).padded(to: 2))"
      + "-\(day.padded(to: 2))"
  }
}

extension Day: PostgresValue {
  public static var postgresType: PostgresType { .date }

  /// The days from 1970 to 2000, where Postgres begins to count.
  private static let epoch = 10_957

  public init(reading bytes: RawSpan, of type: PostgresType) throws(ValueProblem) {
    let days = try bytes.soleInteger(as: Int32.self)
    guard days != .max, days != .min else {
      throw .invalid("it holds '\(days == .max ? "infinity" : "-infinity")', which is no day")
    }
    self.init(daysSince1970: Int(days) + Self.epoch)
  }

  public func write(to bytes: inout [UInt8]) throws(ValueProblem) {
    let (days, overflow) = daysSince1970.subtractingReportingOverflow(Self.epoch)
    // 4713 BC is the first year of Postgres; the last is 5874897.
    guard !overflow, (-2_451_545...2_145_031_948).contains(days) else {
      throw .invalid("the day \(daysSince1970) since 1970 is outside the dates of Postgres")
    }
    bytes.append(bigEndian: Int32(days))
  }
}

extension Int {
  /// The quotient rounded down, and the remainder, which is never negative.
  func dividedDown(by divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  /// The digits with zeros in front, `width` of them at least.
  func padded(to width: Int) -> String {
    let digits = String(magnitude)
    let zeros = String(repeating: "0", count: Swift.max(0, width - digits.count))
    return (self < 0 ? "-" : "") + zeros + digits
  }
}
