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
