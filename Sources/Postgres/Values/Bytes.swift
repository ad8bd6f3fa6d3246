/// Bytes as they are, for a column of type bytea.
public struct Bytes: Sendable, Hashable {
  public var bytes: [UInt8]

  /// The value that carries `bytes`.
  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }
}

extension Bytes: PostgresValue {
  public static var postgresType: PostgresType { .bytea }

  public init(reading bytes: RawSpan, of type: PostgresType) throws(ValueProblem) {
    self.bytes = unsafe bytes.withUnsafeBytes { unsafe Array($0) }
  }

  public func write(to bytes: inout [UInt8]) throws(ValueProblem) {
    bytes.append(contentsOf: self.bytes)
  }
}
