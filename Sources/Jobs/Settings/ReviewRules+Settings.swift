internal import Config
import JobKit

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

  init(_ book: RuleBook) {
    self.init()
    (latest, fewestAttempts) = (book[Self.latest], book[Self.fewest])
    weight = book[Self.weight]
    (withoutHint, atFirstTry) = (book[Self.withoutHint], book[Self.atFirstTry])
    mostReviews = book[Self.most]
    (standardFrom, advancedFrom) = (book[Self.standard], book[Self.advanced])
    boxDays = NumberList(book[Self.boxDays])?.numbers ?? boxDays
    (fewestSentences, mostSentences) = (book[Self.fewestSentences], book[Self.mostSentences])
    (trendStep, trendDays) = (book[Self.step], book[Self.days])
    let types = book[Self.leitner].split(separator: " ").map(String.init)
    strategies = Dictionary(types.map { ($0, .leitner) }) { first, _ in first }
  }
}
