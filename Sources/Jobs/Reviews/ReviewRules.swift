internal import Config
import JobKit

/// The numbers by which patterns are measured and reviews recommended.
public struct ReviewRules: Sendable, Equatable {
  /// Over how many of the latest attempts a pattern is measured.
  public var latest = 50

  /// How much of the average each newer answer takes.
  public var weight = 0.1

  /// The exponent of the share answered without a hint, and of the share right at the first try.
  public var withoutHint = 0.5
  public var atFirstTry = 0.5

  /// With fewer attempts a pattern is still collecting.
  public var fewestAttempts = 5

  /// How many reviews a learner has on a day, 3 at most.
  public var mostReviews = 3

  /// Below the one a review is basic, from the other on it is advanced.
  public var standardFrom = 0.5
  public var advancedFrom = 0.75

  /// By how much conquest must have changed within so many days to be rising or falling.
  public var trendStep = 0.05
  public var trendDays = 7

  /// How many sentences the review of a pattern has that is known best, and of one that is known least.
  public var fewestSentences = 5
  public var mostSentences = 8

  /// After how many days a pattern in box 1, 2 and so on is due.
  public var boxDays = [1, 2, 4, 8, 16]

  /// How the patterns of a content type are chosen, where that is not by their conquest.
  public var strategies: [String: Strategy] = [:]

  /// How it is decided whether a pattern may be recommended.
  public enum Strategy: String, Sendable {
    /// Every pattern that has attempts enough.
    case conquest

    /// Whatever is due in its box.
    case leitner
  }

  public init() {}

  func difficulty(at conquest: Double) -> Difficulty {
    if conquest >= advancedFrom { return .advanced }
    return conquest < standardFrom ? .basic : .standard
  }

  /// How many sentences a review has: the weaker the pattern, the more, in steps of conquest as wide as each other.
  func sentences(at conquest: Double) -> Int {
    let steps = max(mostSentences - fewestSentences, 0)
    return mostSentences - min(Int(conquest * Double(steps + 1)), steps)
  }
}

/// What the settings may change of reviews: the table `[reviews]`.
extension ReviewRules {
  private static let latest = Rule("reviews", "latest_attempts", 50, in: 5...1000)
  private static let fewest = Rule("reviews", "fewest_attempts", 5, in: 1...1000)
  private static let weight = Rule("reviews", "weight", 0.1, in: 0.01...1)
  private static let withoutHint = Rule("reviews", "hint_exponent", 0.5, in: 0...10)
  private static let atFirstTry = Rule("reviews", "first_try_exponent", 0.5, in: 0...10)
  private static let most = Rule("reviews", "most", 3, in: 1...3)
  private static let standard = Rule("reviews", "standard_from", 0.5, in: 0...1)
  private static let advanced = Rule("reviews", "advanced_from", 0.75, in: 0...1)
  private static let step = Rule("reviews", "trend_step", 0.05, in: 0.001...1)
  private static let days = Rule("reviews", "trend_days", 7, in: 1...90)
  private static let leitner = Rule(
    "reviews", "leitner_content", "", that: "of content types with spaces between"
  ) { _ in true }

  private static let boxDays = Rule(
    "reviews", "leitner_days", "1 2 4 8 16",
    that: "of 1 to 5 numbers from 1 to 366, each above the one before"
  ) { text in
    guard let list = NumberList(text), (1...5).contains(list.numbers.count) else { return false }
    return list.allSatisfy(in: 1...366) && list.numbers == list.numbers.sorted()
  }
  private static let fewestSentences = Rule("reviews", "fewest_sentences", 5, in: 5...8)
  private static let mostSentences = Rule("reviews", "most_sentences", 8, in: 5...8)

  static let settings = [
    AnyRule(latest), AnyRule(fewest), AnyRule(weight), AnyRule(withoutHint), AnyRule(atFirstTry),
    AnyRule(most), AnyRule(standard), AnyRule(advanced), AnyRule(step), AnyRule(days),
    AnyRule(leitner), AnyRule(boxDays), AnyRule(fewestSentences), AnyRule(mostSentences),
  ]

  init(_ store: RuleBook) {
    self.init()
    (latest, fewestAttempts) = (store[Self.latest], store[Self.fewest])
    weight = store[Self.weight]
    (withoutHint, atFirstTry) = (store[Self.withoutHint], store[Self.atFirstTry])
    mostReviews = store[Self.most]
    (standardFrom, advancedFrom) = (store[Self.standard], store[Self.advanced])
    boxDays = NumberList(store[Self.boxDays])?.numbers ?? boxDays
    (fewestSentences, mostSentences) = (store[Self.fewestSentences], store[Self.mostSentences])
    (trendStep, trendDays) = (store[Self.step], store[Self.days])
    let types = store[Self.leitner].split(separator: " ").map(String.init)
    strategies = Dictionary(types.map { ($0, .leitner) }) { first, _ in first }
  }
}
