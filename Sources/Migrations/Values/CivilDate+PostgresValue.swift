public import LocalTime
public import Postgres

extension CivilDate: PostgresValue {
  public static var postgresType: PostgresType { Day.postgresType }

  public init(reading bytes: RawSpan, of type: PostgresType) throws(ValueProblem) {
    let day = try Day(reading: bytes, of: type)
    self.init(dayNumber: day.daysSince1970)
  }

  /// The ends of the dates of Postgres: a date from a row may be counted on from, and dates stop there.
  private static let (first, last) = (-2_440_588, 2_145_042_905)

  public func write(to bytes: inout [UInt8]) throws(ValueProblem) {
    try Day(daysSince1970: min(max(dayNumber, Self.first), Self.last)).write(to: &bytes)
  }
}
