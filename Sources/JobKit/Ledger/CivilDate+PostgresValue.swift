public import LocalTime
public import Postgres

extension CivilDate: PostgresValue {
  public static var postgresType: PostgresType { Day.postgresType }

  public init(reading bytes: RawSpan, of type: PostgresType) throws(ValueProblem) {
    let day = try Day(reading: bytes, of: type)
    self.init(dayNumber: day.daysSince1970)
  }

  public func write(to bytes: inout [UInt8]) throws(ValueProblem) {
    try Day(daysSince1970: dayNumber).write(to: &bytes)
  }
}
