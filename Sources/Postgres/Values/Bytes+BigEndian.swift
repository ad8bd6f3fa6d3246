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

extension [UInt8] {
  /// Appends `integer` in the byte order of the network.
  mutating func append(bigEndian integer: some FixedWidthInteger) {
    unsafe Swift.withUnsafeBytes(of: integer.bigEndian) { unsafe append(contentsOf: $0) }
  }

  /// Appends the size of what `write` appends, and then that, or the size -1 for nil.
  mutating func append(sized value: some PostgresValue) throws(ValueProblem) {
    guard !value.isNull else {
      append(bigEndian: Int32(-1))
      return
    }
    let start = count
    append(bigEndian: Int32(0))
    try value.write(to: &self)
    let size = UInt32(truncatingIfNeeded: count - start - 4)
    for byte in 0..<4 {
      self[start + byte] = UInt8(truncatingIfNeeded: size >> (24 - 8 * UInt32(byte)))
    }
  }
}
