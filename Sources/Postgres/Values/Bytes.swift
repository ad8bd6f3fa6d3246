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

extension RawSpan {
  /// The integer that begins at `offset`, in the byte order of the network.
  func integer<Integer: FixedWidthInteger & BitwiseCopyable>(
    at offset: Int = 0, as type: Integer.Type = Integer.self
  ) -> Integer {
    unsafe Integer(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: Integer.self))
  }

  /// The only integer of the value, which has exactly its size.
  func soleInteger<Integer: FixedWidthInteger & BitwiseCopyable>(
    as type: Integer.Type = Integer.self
  ) throws(ValueProblem) -> Integer {
    guard byteCount == MemoryLayout<Integer>.size else {
      throw .invalid("it holds \(byteCount) bytes")
    }
    return integer()
  }

  /// The bytes from `offset` on as text.
  func text(from offset: Int = 0) -> String {
    unsafe withUnsafeBytes { bytes in
      unsafe String(decoding: bytes[offset...], as: UTF8.self)
    }
  }
}

// Inlined wherever the type of what is appended is known: looked up for each value, it takes as long as the rest.
extension [UInt8] {
  /// Appends `integer` in the byte order of the network.
  @inlinable
  mutating func append(bigEndian integer: some FixedWidthInteger) {
    unsafe Swift.withUnsafeBytes(of: integer.bigEndian) { unsafe append(contentsOf: $0) }
  }

  /// Appends the size of what `write` appends, and then that, or the size -1 for nil.
  @inlinable
  mutating func append(sized value: some PostgresValue) throws(ValueProblem) {
    guard !value.isNull else {
      append(bigEndian: Int32(-1))
      return
    }
    try value.writeSized(to: &self)
  }

  /// Appends the size of eight bytes and then these, at one go.
  @inlinable
  mutating func append(sized integer: UInt64) {
    // As words, which stand beside each other without a gap.
    let words = (
      UInt32(8).bigEndian, UInt32(integer >> 32).bigEndian,
      UInt32(truncatingIfNeeded: integer).bigEndian
    )
    unsafe Swift.withUnsafeBytes(of: words) { unsafe append(contentsOf: $0) }
  }

  /// Appends the size of four bytes and then these, at one go.
  @inlinable
  mutating func append(sized integer: UInt32) {
    append(bigEndian: UInt64(4) << 32 | UInt64(integer))
  }

  /// Puts `integer` in the byte order of the network in the place of bytes that are there.
  @inlinable
  mutating func store<Integer: FixedWidthInteger & BitwiseCopyable>(
    bigEndian integer: Integer, at offset: Int
  ) {
    unsafe withUnsafeMutableBytes { bytes in
      unsafe bytes.storeBytes(of: integer.bigEndian, toByteOffset: offset, as: Integer.self)
    }
  }
}
