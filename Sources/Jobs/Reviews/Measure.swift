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
  /// Measures answers of which the newest is last; there is nothing to measure in none.
  init?(_ answers: Answers, under rules: borrowing ReviewRules) {
    guard let oldest = answers.first else { return nil }
    var (average, hints, firstTries) = (oldest.isCorrect ? 1.0 : 0.0, 0, 0)
    // A span is lent: what else is gone through is held, and let go, for each answer.
    let digits = answers.digits.span
    for place in digits.indices {
      let answer = Answer(digit: digits[place])
      if place > 0 {
        average = rules.weight * (answer.isCorrect ? 1 : 0) + (1 - rules.weight) * average
      }
      if answer.hadHint { hints += 1 }
      if answer.isFirstTry { firstTries += 1 }
    }
    // Of 0.1 and 0.9 the sum is 1; of another weight and its rest it may be a hair more.
    let ewma = min(average, 1)
    let hintRate = Double(hints) / Double(answers.count)
    let firstTryRate = Double(firstTries) / Double(answers.count)
    let conquest =
      ewma * Self.power(1 - hintRate, rules.withoutHint)
      * Self.power(firstTryRate, rules.atFirstTry)
    self.init(
      ewma: ewma, hintRate: hintRate, firstTryRate: firstTryRate, conquest: conquest,
      attempts: answers.count)
  }

  /// A power, which for a root takes a fiftieth of the time.
  private static func power(_ base: Double, _ exponent: Double) -> Double {
    exponent == 0.5 ? base.squareRoot() : pow(base, exponent)
  }
}
