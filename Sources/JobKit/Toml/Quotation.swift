extension String {
  /// The text between quotes as a refusal shows it: on one line, and never longer than a line.
  ///
  /// What an operator pasted into a file may be megabytes, or made to move a terminal's cursor.
  var inQuotes: String {
    let shown = unicodeScalars.prefix(Self.longestQuotation).map(\.visible).joined()
    return "'\(shown)\(unicodeScalars.count > Self.longestQuotation ? "…" : "")'"
  }

  private static let longestQuotation = 60
}

extension Unicode.Scalar {
  /// The scalar itself, or its number when it would be invisible or act on a terminal.
  fileprivate var visible: String {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator:
      "\\u{\(String(value, radix: 16))}"
    default: String(self)
    }
  }
}
