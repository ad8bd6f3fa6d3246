extension String {
  /// The text between quotes as a refusal shows it: on one line, and never longer than a line.
  ///
  /// What an operator pasted into a file may be megabytes, or made to move a terminal's cursor; an
  /// address with a user in it, wherever it was pasted, may have a password in it too.
  public var inQuotes: String {
    contains("://") && contains("@") ? "'…'" : "'\(visible(upTo: 60))'"
  }

  /// A sentence that quotes such text already, as safe to show and not much longer.
  var onOneLine: String { visible(upTo: 400) }

  private func visible(upTo longest: Int) -> String {
    let shown = unicodeScalars.prefix(longest).map(\.visible).joined()
    return shown + (unicodeScalars.count > longest ? "…" : "")
  }
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
