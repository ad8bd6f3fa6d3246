/// A Swift value that travels to and from Postgres in its binary format.
///
/// An enum or a struct with a raw value of such a type conforms by saying so:
/// `enum RunState: String, PostgresValue { … }`.
public protocol PostgresValue: Sendable {
  /// The type that a parameter of this Swift type has in Postgres.
  static var postgresType: PostgresType { get }

  /// What NULL is read as, or nil when the Swift type has no such value.
  static var null: Self? { get }

  /// Whether the value is sent as NULL.
  var isNull: Bool { get }

  /// Whether a column of `type` can be read as this Swift type without loss.
  static func reads(_ type: PostgresType) -> Bool

  /// Reads a value that is not NULL.
  init(reading bytes: RawSpan, of type: PostgresType) throws(ValueProblem)

  /// Appends the binary form of a value that is not NULL.
  func write(to bytes: inout [UInt8]) throws(ValueProblem)

  /// Appends the size of that and then the same: where the size is known beforehand, at one go.
  func writeSized(to bytes: inout [UInt8]) throws(ValueProblem)
}

extension PostgresValue {
  public static var null: Self? { nil }

  @inlinable
  public var isNull: Bool { false }

  public static func reads(_ type: PostgresType) -> Bool {
    type == postgresType
  }

  @inlinable
  public func writeSized(to bytes: inout [UInt8]) throws(ValueProblem) {
    let start = bytes.count
    bytes.append(bigEndian: Int32(0))
    try write(to: &bytes)
    bytes.store(bigEndian: Int32(truncatingIfNeeded: bytes.count - start - 4), at: start)
  }
}

extension PostgresValue where Self: RawRepresentable, RawValue: PostgresValue {
  public static var postgresType: PostgresType { RawValue.postgresType }

  public static func reads(_ type: PostgresType) -> Bool {
    RawValue.reads(type)
  }

  public init(reading bytes: RawSpan, of type: PostgresType) throws(ValueProblem) {
    let rawValue = try RawValue(reading: bytes, of: type)
    guard let value = Self(rawValue: rawValue) else {
      throw .invalid("it holds '\(rawValue)'")
    }
    self = value
  }

  @inlinable
  public func write(to bytes: inout [UInt8]) throws(ValueProblem) {
    try rawValue.write(to: &bytes)
  }
}

extension String: PostgresValue {
  public static var postgresType: PostgresType { .text }

  public static func reads(_ type: PostgresType) -> Bool {
    switch type {
    case .text, .varchar, .bpchar, .name, .unknown, .json, .jsonb: true
    default: false
    }
  }

  public init(reading bytes: RawSpan, of type: PostgresType) throws(ValueProblem) {
    self = type == .jsonb ? try JSONText(reading: bytes, of: type).text : bytes.text()
  }

  public func write(to bytes: inout [UInt8]) throws(ValueProblem) {
    let start = bytes.count
    bytes.append(contentsOf: utf8)
    guard !bytes[start...].contains(0) else {
      throw .invalid("text for Postgres cannot hold the character U+0000")
    }
  }
}

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
