extension String {
  /// The text in quotes as JSON wants it.
  var inJSON: String {
    "\"" + unicodeScalars.map(\.inJSON).joined() + "\""
  }
}

extension Unicode.Scalar {
  fileprivate var inJSON: String {
    switch self {
    case "\"": "\\\""
    case "\\": "\\\\"
    case "\u{0}"..."\u{1f}":
      "\\u" + String(repeating: "0", count: value < 16 ? 3 : 2) + String(value, radix: 16)
    default: String(self)
    }
  }
}
