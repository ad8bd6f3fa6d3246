/// A word, a text or a sign of a piece of SQL, and where it stands.
struct SQLToken: Sendable, Equatable {
  let kind: Kind

  /// From its first scalar up to the one behind its last.
  let range: Range<Int>

  enum Kind: Sendable, Equatable {
    /// A name or a word of the language, in small letters.
    case word(String)
    case quotedName(String)
    case string(String)
    case number
    /// As in `:moment`, without the colon.
    case parameter(String)
    case sign(String)
    /// It has no end: what opened it.
    case unfinished(String)
  }
}

extension SQLToken {
  func isWord(_ word: String) -> Bool { kind == .word(word) }

  func isSign(_ sign: String) -> Bool { kind == .sign(sign) }

  /// The name that it may be: as Postgres stores it.
  var name: String? {
    switch kind {
    case .word(let name), .quotedName(let name): name
    default: nil
    }
  }
}
