/// Prints JSON into one buffer of bytes.
struct JSONWriter {
  private let indents: Bool
  private var depth = 0
  private var bytes: [UInt8] = []

  init(indents: Bool) {
    self.indents = indents
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  mutating func write(_ json: JSON) {
    switch json {
    case .null: append("null")
    case .boolean(let value): append(value ? "true" : "false")
    case .integer(let value): append("\(value)")
    case .number(let value): append(value.isFinite ? "\(value)" : "null")
    case .string(let value): write(string: value)
    case .array(let elements): write(elements)
    case .object(let members): write(members)
    }
  }

  private mutating func write(_ elements: [JSON]) {
    list(from: "[", to: "]", count: elements.count) { writer, index in
      writer.write(elements[index])
    }
  }

  private mutating func write(_ members: [JSON.Member]) {
    list(from: "{", to: "}", count: members.count) { writer, index in
      writer.write(string: members[index].name)
      writer.append(writer.indents ? ": " : ":")
      writer.write(members[index].value)
    }
  }

  private mutating func list(
    from open: Character, to close: Character, count: Int,
    write: (inout JSONWriter, Int) -> Void
  ) {
    append("\(open)")
    depth += 1
    for index in 0..<count {
      if index > 0 { append(",") }
      startLine()
      write(&self, index)
    }
    depth -= 1
    if count > 0 { startLine() }
    append("\(close)")
  }

  private mutating func startLine() {
    guard indents else { return }
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
  }

  private mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  private mutating func write(string: String) {
    bytes.append(UInt8(ascii: "\""))
    if string.utf8.contains(where: Self.mayBeginHidden) {
      for scalar in string.unicodeScalars { write(scalar) }
    } else {
      for byte in string.utf8 { write(byte) }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Whether a byte is the first of a character that shows nothing, or may be.
  private static func mayBeginHidden(_ byte: UInt8) -> Bool {
    switch byte {
    case 0xC2, 0xD8, 0xDB, 0xDC, 0xE0...0xE2, 0xEF, 0xF0, 0xF3: true
    default: false
    }
  }

  /// Writes one character; what would turn the direction of the text that is read is spelt out.
  private mutating func write(_ scalar: Unicode.Scalar) {
    guard scalar.isHidden, !scalar.isASCII else {
      for byte in String(scalar).utf8 { write(byte) }
      return
    }
    for unit in String(scalar).utf16 {
      let digits = String(unit, radix: 16)
      append("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
    }
  }

  /// Writes one byte of text.
  private mutating func write(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): append("\\\"")
    case UInt8(ascii: "\\"): append("\\\\")
    case UInt8(ascii: "\n"): append("\\n")
    case UInt8(ascii: "\r"): append("\\r")
    case UInt8(ascii: "\t"): append("\\t")
    case 0..<0x20, 0x7F: append("\\u00" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16))
    default: bytes.append(byte)
    }
  }
}
