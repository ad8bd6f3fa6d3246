import Config
import LocalTime
import TestKit
import Testing

@testable import JobKit
@testable import Settings
@testable import Jobs

@Suite("The numbers of the learning jobs, as the settings change them")
struct LearningSettingsTests {
  private func load(_ text: String) throws -> RuleBook {
    let catalogue = Catalogue(learningDefinitions, rules: learningSettings)
    return try SettingsText(text, catalogue).load().settings.rules
  }

  @Test func `without any they are those of the code`() throws {
    let book = try load("")

    #expect(PushRules(book) == PushRules() && DeliveryRules(book) == DeliveryRules())
    #expect(SweepRules(book) == SweepRules() && RewardRules(book) == RewardRules())
    #expect(StreakRules(book) == StreakRules() && ReviewRules(book) == ReviewRules())
    #expect(LeaderboardRules(book) == LeaderboardRules() && WidgetRules(book) == WidgetRules())
  }

  @Test func `milestones, boxes and sentences are what is written`() throws {
    let book = try load(
      """
      [streaks]
      titles_at = "5 100"
      themes_at = ""
      [reviews]
      leitner_days = "1 3 9"
      fewest_sentences = 6
      most_sentences = 7
      """)

    let (streaks, reviews) = (StreakRules(book), ReviewRules(book))
    #expect(streaks.milestones.map(\.days) == [5, 100])
    #expect(streaks.milestones.allSatisfy { $0.kind == .title })
    #expect(reviews.boxDays == [1, 3, 9])
    #expect(reviews.fewestSentences == 6 && reviews.mostSentences == 7)
  }

  @Test(arguments: [
    ("streaks", "titles_at", "3 x", "numbers from 1 to 3660 with spaces between, such as \"3 14\""),
    ("streaks", "themes_at", "0 7", "numbers from 1 to 3660 with spaces between, such as \"7 30\""),
    ("streaks", "themes_at", "7 7", "numbers from 1 to 3660 with spaces between, such as \"7 30\""),
    (
      "reviews", "leitner_days", "1 2 4 8 16 32",
      "1 to 5 numbers from 1 to 366, each above the one before, such as \"1 2 4 8 16\""
    ),
    (
      "reviews", "leitner_days", "4 2",
      "1 to 5 numbers from 1 to 366, each above the one before, such as \"1 2 4 8 16\""
    ),
    (
      "reviews", "leitner_days", "",
      "1 to 5 numbers from 1 to 366, each above the one before, such as \"1 2 4 8 16\""
    ),
  ])
  func `a list of numbers that is none is refused with what to write`(
    table: String, key: String, text: String, wanted: String
  ) throws {
    let error = #expect(throws: SettingsError.self) {
      try load("[\(table)]\n\(key) = \"\(text)\"")
    }

    #expect(
      error?.problems.map(\.description) == [
        "worker.toml:2:\(key.count + 4): '\(table).\(key)' is '\(text)': write a text of \(wanted)"
      ])
  }

  @Test(arguments: [
    (5, 8, [8, 7, 6, 5]), (5, 5, [5, 5, 5, 5]), (6, 7, [7, 7, 6, 6]), (8, 5, [5, 5, 5, 5]),
  ])
  func `a weaker pattern has more sentences, between the fewest and the most`(
    fewest: Int, most: Int, sentences: [Int]
  ) throws {
    let rules = try ReviewRules(
      load(
        "[reviews]\nfewest_sentences = \(fewest)\nmost_sentences = \(most)"))

    #expect([0.1, 0.3, 0.6, 0.9].map(rules.sentences) == sentences)
  }
}
