import JobKit

/// What the settings may change of streaks: the table `[streaks]`.
extension StreakRules {
  private static let grace = Rule(
    "streaks", "grace", Duration.seconds(10_800), in: .zero...(.seconds(86_400)))
  private static let mostTokens = Rule("streaks", "most_tokens", 3, in: 0...3)
  private static let daysForToken = Rule("streaks", "days_for_token", 7, in: 1...366)

  static let settings = [AnyRule(grace), AnyRule(mostTokens), AnyRule(daysForToken)]

  init(_ book: RuleBook) {
    self.init(
      grace: book[Self.grace], mostTokens: book[Self.mostTokens],
      daysForToken: book[Self.daysForToken])
  }
}
