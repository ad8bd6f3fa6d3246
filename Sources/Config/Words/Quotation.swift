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

extension String {
  /// The text with its control characters spelt out, as in `\n` and `\u{1B}`.
  ///
  /// What an operator reads quotes what somebody wrote: in one line, without a command to the terminal in it,
  /// and in the order in which it stands there.
  public var withVisibleControls: String {
    guard unicodeScalars.contains(where: \.isHidden) else { return self }
    return unicodeScalars.map { $0.isHidden ? $0.escaped(asASCII: true) : String($0) }.joined()
  }
}

extension Unicode.Scalar {
  /// Whether it shows nothing, and changes how others are shown: a control character, a mark that turns the
  /// direction of the text, the end of a line or a tag.
  ///
  /// The two joiners are left as they are: emoji and whole languages are written with them.
  package var isHidden: Bool {
    guard value >= 0x7F else { return value < 0x20 }
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return true
    case .format: return value != 0x200C && value != 0x200D
    default: return false
    }
  }
}
