public import Postgres

extension JobName: PostgresValue {
  public static var postgresType: PostgresType { .text }

  public init(reading bytes: RawSpan, of type: PostgresType) throws(ValueProblem) {
    let text = try String(reading: bytes, of: type)
    do throws(JobNameError) {
      try self.init(text)
    } catch {
      throw .invalid("\(error)")
    }
  }

  public func write(to bytes: inout [UInt8]) throws(ValueProblem) {
    try text.write(to: &bytes)
  }
}
