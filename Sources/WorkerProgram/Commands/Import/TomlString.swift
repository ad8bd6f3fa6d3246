/// Texts as a settings file writes them.
enum TomlString {
  /// The text in quotes that leave most of it as it is.
  static func written(_ text: String) -> String {
    let hasControls = text.unicodeScalars.contains {
      $0.value < 0x20 && $0 != "\n" || $0.value == 0x7F
    }
    if text.contains("\n"), !hasControls, !text.contains("'''") { return "'''\n\(text)'''" }
    let isOdd = text.contains("\"") || text.contains("\\")
    let fitsLiteral = !hasControls && !text.contains("'") && !text.contains("\n")
    if isOdd, fitsLiteral { return "'\(text)'" }
    return "\"" + text.unicodeScalars.map(escaped).joined() + "\""
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"": return "\\\""
    case "\\": return "\\\\"
    case "\n": return "\\n"
    case "\t": return "\\t"
    default:
      guard scalar.value < 0x20 || scalar.value == 0x7F else { return String(scalar) }
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }
}
