/// As much of a text as can be read as TOML, and every fault that was found on the way.
///
/// A line that sets something and cannot be read is noted and left out, so that one missing quote
/// does not hide what is wrong further down.
public struct TomlDocument {
  public private(set) var root = TomlTable(entries: [])
  public private(set) var faults: [(position: SourcePosition, sentence: String)] = []

  private static let mostFaults = 20

  public init(_ text: String) {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    while faults.count < Self.mostFaults {
      do throws(TomlFault) {
        root = try ParsedToml(lines.joined(separator: "\n")).tree()
        return
      } catch {
        let index = error.position.line - 1
        let line = lines.indices.contains(index) ? lines[index] : ""
        guard note(error, on: line) else { return }
        lines[index] = ""
      }
    }
  }

  /// Records a fault; says whether reading can go on without its line.
  private mutating func note(_ fault: TomlFault, on line: Substring) -> Bool {
    guard case .syntax(let words) = fault.cause else {
      faults.append((fault.position, fault.bound))
      return false
    }
    let advice = TomlAdvice(words: words, line: TomlLine(line))
    let column = advice.culprit.map { line.column(of: $0.startIndex) } ?? fault.position.column
    faults.append((SourcePosition(line: fault.position.line, column: column), advice.sentence))
    return advice.canSkipLine
  }
}

extension Substring {
  fileprivate func column(of index: Index) -> Int {
    unicodeScalars[..<index].count + 1
  }
}

extension TomlFault {
  /// The sentence for a document that is refused for its size.
  fileprivate var bound: String {
    switch cause {
    case .syntax(let words): words
    case .tooLong:
      "the text is longer than 1 MiB: settings are a few lines, is this the right file?"
    case .tooDeep: "a key has more than 16 parts: settings need two or three"
    case .tooMany: "there are more than 20000 tables and dots: is this the right file?"
    case .noMemory: "there is no memory to read the settings"
    }
  }
}
