/// A sentence about a row, with the names of columns in braces in the place of their values.
struct RowExplanation: Sendable, Equatable {
  private let pieces: [Piece]

  private enum Piece: Equatable {
    case text(String)
    case column(String)
  }

  /// Nothing where a brace is open or closes none.
  init?(_ text: String) {
    var pieces: [Piece] = []
    for (number, piece) in text.split(separator: "{", omittingEmptySubsequences: false).enumerated()
    {
      let parts = piece.split(separator: "}", omittingEmptySubsequences: false)
      guard parts.count == (number == 0 ? 1 : 2) else { return nil }
      if number > 0 {
        guard !parts[0].isEmpty else { return nil }
        pieces.append(.column(String(parts[0])))
      }
      if let rest = parts.last, !rest.isEmpty { pieces.append(.text(String(rest))) }
    }
    self.pieces = pieces
  }

  var columns: [String] {
    pieces.compactMap { piece in
      if case .column(let name) = piece { name } else { nil }
    }
  }

  /// The sentence about a row, of whose columns these are the values.
  func words(columns: [String], texts: [String?]) -> String {
    let values = Dictionary(zip(columns, texts)) { first, _ in first }
    return pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .column(let name): (values[name] ?? nil) ?? "null"
      }
    }.joined()
  }
}
