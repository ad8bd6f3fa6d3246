/// The SHA-256 of texts: names for things whose own names are secret, and keys of one length.
public enum Digest {
  /// The hash of a text, 32 bytes.
  public static func sha256(_ text: String) throws(SigningKeyError) -> [UInt8] {
    guard Libcrypto.isThere else { throw .noLibrary }
    guard let hash = Libcrypto.sha256(Array(text.utf8)) else { throw .failed }
    return hash
  }

  /// The hash of a text as a lower-case UUID: always the same for one text.
  ///
  /// Version 8 is that of whoever makes them by a rule of their own.
  public static func uuid(_ text: String) throws(SigningKeyError) -> String {
    var bytes = Array(try sha256(text).prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = hex(bytes)
    var rest = digits[...]
    return [8, 4, 4, 4, 12].map { count in
      defer { rest = rest.dropFirst(count) }
      return String(rest.prefix(count))
    }.joined(separator: "-")
  }

  /// The digits of bytes, two each.
  static func hex(_ bytes: some Collection<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }
}
