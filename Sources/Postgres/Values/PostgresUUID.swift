/// A UUID: 128 bits that name one thing for good.
public struct PostgresUUID: Sendable, Hashable {
  /// The first 64 bits.
  public let high: UInt64

  /// The last 64 bits.
  public let low: UInt64

  /// The UUID of these bits.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// A new random UUID (version 4).
  public static func random() -> PostgresUUID {
    PostgresUUID(
      high: .random(in: .min ... .max) & ~0xf000 | 0x4000,
      low: .random(in: .min ... .max) & ~(0b11 << 62) | (0b10 << 62))
  }
}

extension PostgresUUID: LosslessStringConvertible {
  /// Reads the usual form, such as `6ba7b810-9dad-11d1-80b4-00c04fd430c8`, in either case.
  public init?(_ description: String) {
    let parts = description.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [8, 4, 4, 4, 12],
      description.utf8.allSatisfy({ $0 != UInt8(ascii: "+") }),
      let high = UInt64(parts[0...2].joined(), radix: 16),
      let low = UInt64(parts[3...4].joined(), radix: 16)
    else { return nil }
    self.init(high: high, low: low)
  }

  public var description: String {
    let digits = Array(Self.hexadecimal(high) + Self.hexadecimal(low))
    let groups = [digits[0..<8], digits[8..<12], digits[12..<16], digits[16..<20], digits[20...]]
    return groups.map { String($0) }.joined(separator: "-")
  }

  private static func hexadecimal(_ bits: UInt64) -> String {
    let digits = String(bits, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension PostgresUUID: PostgresValue {
  public static var postgresType: PostgresType { .uuid }

  public init(reading bytes: RawSpan, of type: PostgresType) throws(ValueProblem) {
    guard bytes.byteCount == 16 else { throw .invalid("it holds \(bytes.byteCount) bytes") }
    self.init(high: bytes.integer(at: 0), low: bytes.integer(at: 8))
  }

  public func write(to bytes: inout [UInt8]) throws(ValueProblem) {
    bytes.append(bigEndian: high)
    bytes.append(bigEndian: low)
  }
}
