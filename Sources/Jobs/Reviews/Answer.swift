/// What an attempt says of how well a learner knows a pattern.
struct Answer: Equatable {
  /// 1 for a right answer, 2 for a hint and 4 for the first try, added up.
  let sum: UInt8

  var isCorrect: Bool { sum & 1 != 0 }
  var hadHint: Bool { sum & 2 != 0 }
  var isFirstTry: Bool { sum & 4 != 0 }
}

extension Answer {
  init(isCorrect: Bool, hadHint: Bool, isFirstTry: Bool) {
    sum = (isCorrect ? 1 : 0) + (hadHint ? 2 : 0) + (isFirstTry ? 4 : 0)
  }

  init(digit: UInt8) {
    sum = digit &- UInt8(ascii: "0")
  }
}
