/// What an attempt says of how well a learner knows a pattern.
struct Answer: Equatable {
  let isCorrect: Bool
  let hadHint: Bool
  let isFirstTry: Bool
}

extension Answer {
  /// The answers that a text has a digit for each of, newest last; the newest is first here.
  static func answers(in digits: String) -> [Answer] {
    digits.utf8.reversed().map { digit in
      let bits = digit &- UInt8(ascii: "0")
      return Answer(isCorrect: bits & 1 != 0, hadHint: bits & 2 != 0, isFirstTry: bits & 4 != 0)
    }
  }
}
