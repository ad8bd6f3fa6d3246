internal import Postgres

/// A number as a column of type real holds it.
struct Real: PostgresValue {
  static let postgresType = PostgresType.float4
  private let value: Float

  init(_ value: Double) {
    self.value = Float(value)
  }

  init(reading bytes: RawSpan, of type: PostgresType) throws(ValueProblem) {
    self.init(try Double(reading: bytes, of: type))
  }

  func write(to bytes: inout [UInt8]) throws(ValueProblem) {
    try Int32(bitPattern: value.bitPattern).write(to: &bytes)
  }
}
