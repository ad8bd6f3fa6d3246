/// What an attempt says of how well a learner knows a pattern.
struct Answer: Equatable {
  /// 1 for a right answer, 2 for a hint and 4 for the first try, added up.
  private let sum: UInt8

  var isCorrect: Bool { sum & 1 != 0 }
  var hadHint: Bool { sum & 2 != 0 }
  var isFirstTry: Bool { sum & 4 != 0 }
}

extension Answer {
  init(isCorrect: Bool, hadHint: Bool, isFirstTry: Bool) {
    sum = (isCorrect ? 1 : 0) + (hadHint ? 2 : 0) + (isFirstTry ? 4 : 0)
  }

  /// The answers that a text has a digit for each of, newest last; the newest is first here.
  static func answers(in digits: String) -> [Answer] {
    digits.utf8.reversed().map { Answer(sum: $0 &- UInt8(ascii: "0")) }
  }
}
