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

extension Instant: PostgresValue {
  public static var postgresType: PostgresType { Timestamp.postgresType }

  public init(reading bytes: RawSpan, of type: PostgresType) throws(ValueProblem) {
    let timestamp = try Timestamp(reading: bytes, of: type)
    self.init(microseconds: Int64(timestamp.microsecondsSince1970))
  }

  public func write(to bytes: inout [UInt8]) throws(ValueProblem) {
    try timestamp.write(to: &bytes)
  }

  public func writeSized(to bytes: inout [UInt8]) throws(ValueProblem) {
    try timestamp.writeSized(to: &bytes)
  }

  /// The same, or the first instant of Postgres, where arithmetic with what comes from rows stops.
  ///
  /// The last ones of Postgres are later than any of these.
  private var timestamp: Timestamp {
    Timestamp(microsecondsSince1970: Int(max(microseconds, Self.first)))
  }

  private static let first: Int64 = -210_866_803_200_000_000
}
