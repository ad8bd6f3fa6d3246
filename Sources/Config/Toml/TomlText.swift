/// The text of a document, in which a place inside one of its strings can be found.
package struct TomlText: Sendable {
  private let text: String

  package init(_ text: String) {
    self.text = text
  }

  /// Where the scalar number `offset` of a string stands whose quotes open at `start`.
  package func position(of offset: Int, inStringAt start: SourcePosition) -> SourcePosition {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var walk = Walk(lines: lines, position: start)
    walk.open()
    for _ in 0..<offset { walk.step() }
    walk.skipContinuation()
    return walk.position
  }

  /// A way through the scalars of a string, as they are written.
  private struct Walk {
    let lines: [Substring]
    var position: SourcePosition
    private var line: [Unicode.Scalar] = []
    private var hasEscapes = false

    init(lines: [Substring], position: SourcePosition) {
      (self.lines, self.position) = (lines, position)
      line = Self.scalars(of: position.line, in: lines)
    }

    private static func scalars(of line: Int, in lines: [Substring]) -> [Unicode.Scalar] {
      lines.indices.contains(line - 1) ? Array(lines[line - 1].unicodeScalars) : []
    }

    /// The scalar that stands here; nothing at the end of a line.
    private var scalar: Unicode.Scalar? { scalar(after: 0) }

    private func scalar(after count: Int) -> Unicode.Scalar? {
      let index = position.column - 1 + count
      return line.indices.contains(index) ? line[index] : nil
    }

    private mutating func advance(by count: Int = 1) {
      guard scalar != nil || position.line >= lines.count else {
        position = SourcePosition(line: position.line + 1, column: 1)
        line = Self.scalars(of: position.line, in: lines)
        return
      }
      position = SourcePosition(line: position.line, column: position.column + count)
    }

    /// Goes behind the quotes, and behind the end of the line that follows three of them.
    mutating func open() {
      guard let quote = scalar else { return }
      hasEscapes = quote == "\""
      let isLong = scalar(after: 1) == quote && scalar(after: 2) == quote
      advance(by: isLong ? 3 : 1)
      if scalar == "\r" { advance() }
      if isLong, scalar == nil { advance() }
    }

    /// Goes behind one scalar of the string.
    mutating func step() {
      skipContinuation()
      guard hasEscapes, scalar == "\\" else { return advance() }
      switch scalar(after: 1) {
      case "u": advance(by: 6)
      case "U": advance(by: 10)
      default: advance(by: 2)
      }
    }

    /// Goes behind a backslash at the end of a line and the white space after it, which are no part of the string.
    mutating func skipContinuation() {
      while hasEscapes, scalar == "\\", isLast(after: 1), position.line < lines.count {
        while scalar != nil { advance() }
        advance()
        while scalar != nil || position.line < lines.count, scalar?.properties.isWhitespace ?? true
        {
          advance()
        }
      }
    }

    private func isLast(after count: Int) -> Bool {
      line.dropFirst(position.column - 1 + count).allSatisfy(\.properties.isWhitespace)
    }
  }
}
