extension Bool: PostgresValue {
  public static var postgresType: PostgresType { .bool }

  public init(reading bytes: RawSpan, of type: PostgresType) throws(ValueProblem) {
    self = try bytes.soleInteger(as: UInt8.self) != 0
  }

  @inlinable
  public func write(to bytes: inout [UInt8]) throws(ValueProblem) {
    bytes.append(self ? 1 : 0)
  }
}

extension Int: PostgresValue {
  public static var postgresType: PostgresType { .int8 }

  public static func reads(_ type: PostgresType) -> Bool {
    type == .int8 || type == .int4 || type == .int2
  }

  public init(reading bytes: RawSpan, of type: PostgresType) throws(ValueProblem) {
    switch type {
    case .int8: self = Int(try bytes.soleInteger(as: Int64.self))
    case .int4: self = Int(try bytes.soleInteger(as: Int32.self))
    default: self = Int(try bytes.soleInteger(as: Int16.self))
    }
  }

  @inlinable
  public func write(to bytes: inout [UInt8]) throws(ValueProblem) {
    bytes.append(bigEndian: Int64(self))
  }

  @inlinable
  public func writeSized(to bytes: inout [UInt8]) throws(ValueProblem) {
    bytes.append(sized: UInt64(bitPattern: Int64(self)))
  }
}

extension Int32: PostgresValue {
  public static var postgresType: PostgresType { .int4 }

  public static func reads(_ type: PostgresType) -> Bool {
    type == .int4 || type == .int2
  }

  public init(reading bytes: RawSpan, of type: PostgresType) throws(ValueProblem) {
    self = Int32(truncatingIfNeeded: try Int(reading: bytes, of: type))
  }

  @inlinable
  public func write(to bytes: inout [UInt8]) throws(ValueProblem) {
    bytes.append(bigEndian: self)
  }

  @inlinable
  public func writeSized(to bytes: inout [UInt8]) throws(ValueProblem) {
    bytes.append(sized: UInt32(bitPattern: self))
  }
}

extension Int16: PostgresValue {
  public static var postgresType: PostgresType { .int2 }

  public init(reading bytes: RawSpan, of type: PostgresType) throws(ValueProblem) {
    self = try bytes.soleInteger()
  }

  @inlinable
  public func write(to bytes: inout [UInt8]) throws(ValueProblem) {
    bytes.append(bigEndian: self)
  }
}

extension Double: PostgresValue {
  public static var postgresType: PostgresType { .float8 }

  public static func reads(_ type: PostgresType) -> Bool {
    type == .float8 || type == .float4
  }

  public init(reading bytes: RawSpan, of type: PostgresType) throws(ValueProblem) {
    if type == .float8 {
      self = Double(bitPattern: try bytes.soleInteger())
    } else {
      self = Double(Float(bitPattern: try bytes.soleInteger()))
    }
  }

  @inlinable
  public func write(to bytes: inout [UInt8]) throws(ValueProblem) {
    bytes.append(bigEndian: bitPattern)
  }

  @inlinable
  public func writeSized(to bytes: inout [UInt8]) throws(ValueProblem) {
    bytes.append(sized: bitPattern)
  }
}
