/// Bytes as text of 64 characters, and back.
public enum Base64 {
  /// The text with its padding, as in headers.
  public static func text(_ bytes: some Collection<UInt8>) -> String {
    let text = spell(bytes, with: standard)
    return text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
  }

  /// The text for a URL, without padding, as JSON Web Tokens are written.
  public static func urlText(_ bytes: some Collection<UInt8>) -> String {
    spell(bytes, with: forURLs)
  }

  /// The bytes that a text spells, or nothing when it is not written so.
  ///
  /// Its padding may be left out. Bits that stand for nothing must be zero, so that no two texts spell the same.
  public static func bytes(_ text: some StringProtocol) -> [UInt8]? {
    var (bytes, held, bits): ([UInt8], UInt32, Int) = ([], 0, 0)
    let digits = text.utf8.reversed().drop { $0 == UInt8(ascii: "=") }
    let padding = text.utf8.count - digits.count
    guard padding <= 2, padding == 0 || text.utf8.count % 4 == 0, digits.count % 4 != 1 else {
      return nil
    }
    for digit in digits.reversed() {
      guard let value = standard.firstIndex(of: digit) else { return nil }
      held = held << 6 | UInt32(value)
      bits += 6
      guard bits >= 8 else { continue }
      bits -= 8
      bytes.append(UInt8(truncatingIfNeeded: held >> UInt32(bits)))
      held &= 1 << UInt32(bits) - 1
    }
    return held == 0 ? bytes : nil
  }

  private static func spell(_ bytes: some Collection<UInt8>, with digits: [UInt8]) -> String {
    var (text, held, bits): ([UInt8], UInt32, Int) = ([], 0, 0)
    for byte in bytes {
      held = held << 8 | UInt32(byte)
      bits += 8
      while bits >= 6 {
        bits -= 6
        text.append(digits[Int(held >> UInt32(bits) & 63)])
      }
      held &= 1 << UInt32(bits) - 1
    }
    if bits > 0 { text.append(digits[Int(held << UInt32(6 - bits) & 63)]) }
    return String(decoding: text, as: UTF8.self)
  }

  private static let letters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
  private static let standard = Array((letters + "+/").utf8)
  private static let forURLs = Array((letters + "-_").utf8)
}
