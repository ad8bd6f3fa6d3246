/// How far a refresh of the boards has come, as its cursor says.
enum BoardStep: Equatable {
  /// Scores are added up, learner by learner.
  case scores
  /// Versions that readers do not see are removed, and scores of weeks that are over.
  case removal
  /// The new version is written beside the one that readers see.
  case fill(index: Int, last: BoardFill.Entry?)

  init(cursor: String?) {
    let words = (cursor ?? "").split(separator: " ")
    switch words.first {
    case "removal": self = .removal
    case "board":
      let index = words.dropFirst().first.flatMap { Int($0) } ?? 0
      self = .fill(index: index, last: BoardFill.Entry(Array(words.dropFirst(2))))
    default: self = .scores
    }
  }
}

extension BoardFill {
  /// What to save so that the making goes on here.
  var cursor: String {
    "board \(index)" + (last.map { " \($0.text)" } ?? "")
  }
}
