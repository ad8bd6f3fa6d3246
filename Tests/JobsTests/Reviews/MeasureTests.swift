import LocalTime
import Testing

@testable import Jobs

@Suite("How well a learner knows a pattern")
struct MeasureTests {
  private let rules = ReviewRules()

  /// Answers written oldest first: `+` right, `-` wrong, `h` right with a hint, `2` right at the second try.
  static func answers(_ words: String) -> Answers {
    Answers(
      words.map { word in
        Answer(isCorrect: word != "-", hadHint: word == "h", isFirstTry: word == "+" || word == "h")
      })
  }

  private func measure(_ words: String) throws -> Measure {
    try #require(Measure(Self.answers(words), under: rules))
  }

  @Test(arguments: [
    ("+", 1.0), ("-", 0), ("+-", 0.9), ("-+", 0.1), ("+--", 0.81), ("-++", 0.19), ("+++++", 1),
  ])
  func `the newest answer weighs a tenth, and the oldest is taken as it is`(
    words: String, ewma: Double
  ) throws {
    #expect(abs(try measure(words).ewma - ewma) < 1e-15)
  }

  @Test(arguments: [
    ("++++", 0.0, 1.0, 1.0), ("hhhh", 1, 1, 0), ("2222", 0, 0, 0),
    ("hh++", 0.5, 1, 0.5.squareRoot()),
    ("22++", 0, 0.5, 0.5.squareRoot()), ("h2++", 0.25, 0.75, 0.75), ("----", 0, 0, 0),
  ])
  func `hints and second tries lower the conquest by the roots of their shares`(
    words: String, hints: Double, firstTries: Double, conquest: Double
  ) throws {
    let measure = try measure(words)

    #expect(measure.hintRate == hints && measure.firstTryRate == firstTries)
    #expect(abs(measure.conquest - conquest) < 1e-15)
  }

  @Test func `without an answer there is nothing to measure`() {
    #expect(Measure(Answers([]), under: rules) == nil)
  }

  @Test(arguments: [("--hh", 2, 1.0), ("hh--", 2, 0), ("h---h", 4, 0.25), ("h-", 1, 0)])
  func `the latest answers are measured`(words: String, latest: Int, hints: Double) throws {
    let measure = try #require(Measure(Self.answers(words).suffix(latest), under: rules))

    #expect(measure.attempts == latest && measure.hintRate == hints)
  }

  @Test(arguments: [(2.0, 0.5625), (0.25, 0.75.squareRoot().squareRoot())])
  func `an exponent that is no root is a power`(exponent: Double, conquest: Double) throws {
    var rules = rules
    rules.withoutHint = exponent

    let measure = try #require(Measure(Self.answers("h+++"), under: rules))

    #expect(abs(measure.conquest - conquest) < 1e-15)
  }

  @Test(arguments: [
    (0.5 as Double?, 0.5625, Trend.rising), (0.5, 0.5, .steady), (0.5, 0.4375, .falling),
    (0.25, 0.2999, .steady),
    (0.0, 0.05, .rising), (0.05, 0.0, .falling), (0.0499, 0.0, .steady), (nil, 1, .steady),
  ])
  func `five points more in a week are rising, five less falling`(
    before: Double?, now: Double, trend: Trend
  ) {
    #expect(Trend(from: before, to: now, under: rules) == trend)
  }

  @Test(arguments: [
    (0.0, Difficulty.basic, 8), (0.2499, .basic, 8), (0.25, .basic, 7), (0.4999, .basic, 7),
    (0.5, .standard, 6), (0.7499, .standard, 6), (0.75, .advanced, 5), (1, .advanced, 5),
  ])
  func `the weaker a pattern, the easier its review and the more its sentences`(
    conquest: Double, difficulty: Difficulty, sentences: Int
  ) {
    #expect(rules.difficulty(at: conquest) == difficulty)
    #expect(rules.sentences(at: conquest) == sentences)
  }
}
