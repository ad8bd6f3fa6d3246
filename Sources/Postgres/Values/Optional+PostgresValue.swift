extension Optional: PostgresValue where Wrapped: PostgresValue {
  public static var postgresType: PostgresType { Wrapped.postgresType }

  public static var null: Wrapped?? { .some(.none) }

  @inlinable
  public var isNull: Bool {
    self?.isNull ?? true
  }

  public static func reads(_ type: PostgresType) -> Bool {
    Wrapped.reads(type)
  }

  public init(reading bytes: RawSpan, of type: PostgresType) throws(ValueProblem) {
    self = try Wrapped(reading: bytes, of: type)
  }

  @inlinable
  public func write(to bytes: inout [UInt8]) throws(ValueProblem) {
    try self?.write(to: &bytes)
  }

  @inlinable
  public func writeSized(to bytes: inout [UInt8]) throws(ValueProblem) {
    try self?.writeSized(to: &bytes)
  }
}
