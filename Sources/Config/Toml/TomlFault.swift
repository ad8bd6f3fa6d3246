/// Why a text is no TOML document that this program reads, and where.
struct TomlFault: Error, Equatable {
  let position: SourcePosition
  let cause: Cause

  enum Cause: Equatable {
    /// The parser's own words.
    case syntax(String)
    case tooLong
    case tooDeep
    case tooMany
    case noMemory
  }
}
