/// Colours for a terminal that wants them, and plain text for everything else.
struct Style: Sendable {
  let isColoured: Bool

  /// How many columns a terminal has; nothing where lines may be as long as they are.
  var width: Int?

  /// The same with lines as long as they are.
  var wide: Style { Style(isColoured: isColoured) }

  func bold(_ text: String) -> String { dressed(text, in: 1) }
  func dim(_ text: String) -> String { dressed(text, in: 2) }
  func red(_ text: String) -> String { dressed(text, in: 31) }
  func green(_ text: String) -> String { dressed(text, in: 32) }

  private func dressed(_ text: String, in code: Int) -> String {
    isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}

extension Style {
  /// A text whose lines are as wide as the terminal is, where they were wider.
  func fitted(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { fitted(String($0), behind: "") }.joined(separator: "\n")
  }

  /// A line behind `mark`, which goes on below itself where the terminal is too narrow; no word is broken.
  func fitted(_ line: String, behind mark: String) -> String {
    guard let width, mark.count + line.count > width else { return mark + line }
    let indent = String(repeating: " ", count: mark.count)
    return mark
      + Help.wrapped(line, to: width - mark.count).joined(separator: "\n\(indent)")
  }
}
