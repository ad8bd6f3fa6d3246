/// How far a refresh of the boards has come, as its cursor says.
enum BoardStep: Equatable {
  /// Scores are added up, learner by learner.
  case scores
  /// What readers do not see any more is removed, for a new version.
  case removal(for: BoardVersion)
  /// The new version is made beside the one that readers see.
  case fill(of: BoardVersion, index: Int, last: BoardMark?)

  init(cursor: String?) {
    let words = (cursor ?? "").split(separator: " ")
    let version = BoardVersion(number: Self.number(1, in: words))
    switch words.first {
    case "removal": self = .removal(for: version)
    case "board":
      let last = BoardMark(Array(words.dropFirst(3)))
      self = .fill(of: version, index: Self.number(2, in: words), last: last)
    default: self = .scores
    }
  }

  private static func number(_ place: Int, in words: [Substring]) -> Int {
    place < words.count ? Int(words[place]) ?? 0 : 0
  }
}

extension BoardFill {
  /// What to save so that the making goes on here.
  var cursor: String {
    "board \(version.number) \(index)" + (last.map { " \($0.text)" } ?? "")
  }
}
