/// A text with placeholders, such as `{name}, day {streak_days}`.
struct MessageText: Sendable, Equatable {
  private enum Piece: Sendable, Equatable {
    case text(String)
    case placeholder(Placeholder)
  }

  private var pieces: [Piece] = []

  /// What keeps a text from being used.
  enum Fault: Error, Equatable {
    case unknownPlaceholder(String)
    case openBrace
  }

  /// Reads a text that may speak of `known` alone.
  init(_ text: String, knowing known: [Placeholder]) throws(Fault) {
    var rest = Substring(text)
    while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      pieces.append(.text(String(rest[..<brace])))
      guard rest[brace] == "{", let end = rest[brace...].firstIndex(of: "}") else {
        throw .openBrace
      }
      let name = String(rest[rest.index(after: brace)..<end])
      guard let placeholder = Placeholder(rawValue: name), known.contains(placeholder) else {
        throw .unknownPlaceholder(name)
      }
      pieces.append(.placeholder(placeholder))
      rest = rest[rest.index(after: end)...]
    }
    pieces.append(.text(String(rest)))
  }

  /// The text for one learner.
  func filled(with facts: MessageFacts) -> String {
    pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .placeholder(.name): facts.name
      case .placeholder(.streakDays): "\(facts.streakDays)"
      case .placeholder(.pattern): facts.pattern
      }
    }.joined()
  }
}

/// What placeholders stand for.
struct MessageFacts: Sendable, Equatable {
  let name: String
  let streakDays: Int
  let pattern: String

  init(name: String, streakDays: Int = 0, pattern: String = "") {
    self.name = name.asName
    self.streakDays = streakDays
    self.pattern = pattern.asName
  }

  /// As long as any facts can be, in JSON, where a quote takes two bytes.
  static let longest: MessageFacts = {
    let name = String(repeating: "\"", count: String.mostBytesOfName)
    return MessageFacts(name: name, streakDays: Int(Int32.max), pattern: name)
  }()
}

extension String {
  fileprivate static let mostBytesOfName = 120

  /// The name on one line, cut where it would fill the screen.
  fileprivate var asName: String {
    let isClean = utf8.count <= Self.mostBytesOfName && !utf8.contains { $0.mayBeControl }
    guard !isClean else { return self }
    let line = String(String.UnicodeScalarView(unicodeScalars.map { $0.isControl ? " " : $0 }))
    guard line.utf8.count > Self.mostBytesOfName else { return line }
    var bytes = 3
    let kept = line.prefix { character in
      bytes += character.utf8.count
      return bytes <= Self.mostBytesOfName
    }
    return kept + "…"
  }
}

extension UInt8 {
  /// Whether a control character may begin with this byte: those beyond ASCII begin with 0xC2.
  fileprivate var mayBeControl: Bool { self < 0x20 || self == 0x7F || self == 0xC2 }
}

extension Unicode.Scalar {
  fileprivate var isControl: Bool { properties.generalCategory == .control }
}
