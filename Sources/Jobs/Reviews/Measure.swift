import Glibc

/// How well a learner knows a pattern, over some answers.
struct Measure: Equatable {
  let ewma: Double
  let hintRate: Double
  let firstTryRate: Double
  let conquest: Double
  let attempts: Int
}

extension Measure {
  /// Measures answers that are given newest first; there is nothing to measure in none.
  init?(_ answers: some BidirectionalCollection<Answer>, under rules: borrowing ReviewRules) {
    guard let oldest = answers.last else { return nil }
    var average = oldest.isCorrect ? 1.0 : 0.0
    for answer in answers.dropLast().reversed() {
      average = rules.weight * (answer.isCorrect ? 1 : 0) + (1 - rules.weight) * average
    }
    // Of 0.1 and 0.9 the sum is 1; of another weight and its rest it may be a hair more.
    let ewma = min(average, 1)
    let hintRate = Self.share(answers.count { $0.hadHint }, of: answers.count)
    let firstTryRate = Self.share(answers.count { $0.isFirstTry }, of: answers.count)
    let conquest =
      ewma * pow(1 - hintRate, rules.withoutHint) * pow(firstTryRate, rules.atFirstTry)
    self.init(
      ewma: ewma, hintRate: hintRate, firstTryRate: firstTryRate, conquest: conquest,
      attempts: answers.count)
  }

  private static func share(_ some: Int, of all: Int) -> Double {
    Double(some) / Double(all)
  }
}
