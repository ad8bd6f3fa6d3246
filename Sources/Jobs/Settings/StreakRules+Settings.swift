internal import Config
import JobKit

/// What the settings may change of streaks: the table `[streaks]`.
extension StreakRules {
  private static let grace = Rule(
    "streaks", "grace", Duration.seconds(10_800), in: .zero...(.seconds(86_400)))
  private static let mostTokens = Rule("streaks", "most_tokens", 3, in: 0...3)
  private static let daysForToken = Rule("streaks", "days_for_token", 7, in: 1...366)
  private static let titles = milestones("titles_at", "3 14")
  private static let themes = milestones("themes_at", "7 30")

  static let settings = [
    AnyRule(grace), AnyRule(mostTokens), AnyRule(daysForToken), AnyRule(titles), AnyRule(themes),
  ]

  init(_ book: RuleBook) {
    let milestones =
      Self.milestones(in: book[Self.titles], kind: .title)
      + Self.milestones(in: book[Self.themes], kind: .theme)
    self.init(
      grace: book[Self.grace], mostTokens: book[Self.mostTokens],
      daysForToken: book[Self.daysForToken], milestones: milestones.sorted { $0.days < $1.days })
  }

  private static func milestones(in text: String, kind: AwardKind) -> [Milestone] {
    (NumberList(text)?.numbers ?? []).map { Milestone(days: $0, kind: kind) }
  }

  private static func milestones(_ key: String, _ standard: String) -> Rule<String> {
    Rule("streaks", key, standard, that: "of numbers from 1 to 3660 with spaces between") {
      NumberList($0)?.allSatisfy(in: 1...3660) == true
    }
  }
}
