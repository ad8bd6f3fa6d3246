/// Reads JSON that a stranger wrote: within a bound of depth, and nothing but JSON.
struct JSONReader {
  private let bytes: [UInt8]
  private var place = 0

  /// How deep arrays and objects may lie in each other: a reader of more could be made to run out of stack.
  private static let deepest = 32

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The one value of which the whole text consists.
  mutating func document() -> JSONValue? {
    let value = value(depth: 0)
    skipSpace()
    return place == bytes.count ? value : nil
  }

  private mutating func value(depth: Int) -> JSONValue? {
    skipSpace()
    guard depth <= Self.deepest, let first = next else { return nil }
    switch first {
    case UInt8(ascii: "{"): return object(depth: depth)
    case UInt8(ascii: "["): return array(depth: depth)
    case UInt8(ascii: "\""): return text().map(JSONValue.text)
    case UInt8(ascii: "t"): return take("true") ? .boolean(true) : nil
    case UInt8(ascii: "f"): return take("false") ? .boolean(false) : nil
    case UInt8(ascii: "n"): return take("null") ? .null : nil
    default: return number().map(JSONValue.number)
    }
  }

  /// Of members that have one name the last counts, as with most who read JSON.
  private mutating func object(depth: Int) -> JSONValue? {
    place += 1
    var members: [String: JSONValue] = [:]
    guard !takeAfterSpace("}") else { return .object(members) }
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\""), let name = text(), takeAfterSpace(":"),
        let value = value(depth: depth + 1)
      else { return nil }
      members[name] = value
    } while takeAfterSpace(",")
    return takeAfterSpace("}") ? .object(members) : nil
  }

  private mutating func array(depth: Int) -> JSONValue? {
    place += 1
    var values: [JSONValue] = []
    guard !takeAfterSpace("]") else { return .array(values) }
    repeat {
      guard let value = value(depth: depth + 1) else { return nil }
      values.append(value)
    } while takeAfterSpace(",")
    return takeAfterSpace("]") ? .array(values) : nil
  }

  private mutating func number() -> String? {
    let start = place
    _ = take("-")
    guard !(next == UInt8(ascii: "0") && isDigit(place + 1)), takeDigits() else { return nil }
    if take("."), !takeDigits() { return nil }
    if take("e") || take("E") {
      _ = take("+") || take("-")
      guard takeDigits() else { return nil }
    }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private mutating func takeDigits() -> Bool {
    let start = place
    while isDigit(place) { place += 1 }
    return place > start
  }

  private func isDigit(_ place: Int) -> Bool {
    place < bytes.count && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[place])
  }
}

extension JSONReader {
  /// A text in quotes, at whose first quote the reader is.
  private mutating func text() -> String? {
    place += 1
    var text: [UInt8] = []
    while let byte = next {
      place += 1
      switch byte {
      case UInt8(ascii: "\""): return String(validating: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let scalar = escaped() else { return nil }
        text += String(scalar).utf8
      case 0x20...: text.append(byte)
      default: return nil
      }
    }
    return nil
  }

  private mutating func escaped() -> Unicode.Scalar? {
    guard let byte = next else { return nil }
    place += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return codePoint()
    default: return nil
    }
  }

  /// What four digits stand for, or twice four when they are a pair.
  private mutating func codePoint() -> Unicode.Scalar? {
    guard let first = fourDigits() else { return nil }
    guard (0xD800...0xDBFF).contains(first) else { return Unicode.Scalar(first) }
    guard take("\\u"), let second = fourDigits(), (0xDC00...0xDFFF).contains(second) else {
      return nil
    }
    return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
  }

  private mutating func fourDigits() -> UInt32? {
    let digits = bytes[place...].prefix(4)
    guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else {
      return nil
    }
    place += 4
    return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
  }

  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      place += 1
    }
  }

  private mutating func take(_ word: StaticString) -> Bool {
    let word = Array("\(word)".utf8)
    guard bytes[place...].starts(with: word) else { return false }
    place += word.count
    return true
  }

  private mutating func takeAfterSpace(_ word: StaticString) -> Bool {
    skipSpace()
    return take(word)
  }
}
