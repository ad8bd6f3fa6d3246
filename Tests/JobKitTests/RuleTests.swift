import Config
import LocalTime
import TestKit
import Testing

@testable import JobKit
@testable import Settings

@Suite("Rules of the jobs' own in the settings")
struct RuleTests {
  private static let quiet = Rule("push", "quiet_from", TimeOfDay(22), in: TimeOfDay.all)
  private static let window = Rule(
    "push", "window", Duration.seconds(2700), in: .seconds(60)...(.seconds(86_400)))
  private static let most = Rule("reviews", "most", 3, in: 1...3)
  private static let decay = Rule("reviews", "decay", 0.1, in: 0.01...1)
  private static let strategy = Rule(
    "reviews", "strategy", "conquest", oneOf: ["conquest", "leitner"])

  private func load(_ text: String) throws -> LoadedSettings {
    let catalogue = Catalogue(
      [],
      rules: [
        AnyRule(Self.quiet), AnyRule(Self.window), AnyRule(Self.most), AnyRule(Self.decay),
        AnyRule(Self.strategy),
      ])
    return try SettingsText(text, catalogue).load()
  }

  @Test func `what the settings leave out is as it is by default`() throws {
    let rules = try load("").settings.rules

    #expect(rules[Self.quiet].written == "22:00" && rules[Self.window] == .seconds(2700))
    #expect(rules[Self.most] == 3 && rules[Self.decay] == 0.1 && rules[Self.strategy] == "conquest")
  }

  @Test func `what the settings say is what the jobs go by, and is listed`() throws {
    let settings = try load(
      """
      [push]
      quiet_from = "21:30"
      window = "30m"
      [reviews]
      most = 2
      decay = 1
      strategy = "leitner"
      """
    ).settings

    #expect(
      settings.rules[Self.quiet].minute == 1290 && settings.rules[Self.window] == .seconds(1800))
    #expect(
      settings.changes(since: try load("").settings).map(\.description) == [
        "push.quiet_from: 22:00 -> 21:30", "push.window: 45m -> 30m", "reviews.most: 3 -> 2",
        "reviews.decay: 0.1 -> 1.0", "reviews.strategy: conquest -> leitner",
      ])
  }

  @Test(arguments: [
    (
      "[push]\nquiet_from = \"24:00\"",
      "worker.toml:2:14: 'push.quiet_from' is '24:00': write a time of day from 00:00 to 23:59, such as \"22:00\""
    ),
    (
      "[push]\nquiet_from = \"7:00\"",
      "worker.toml:2:14: 'push.quiet_from' is '7:00': write a time of day from 00:00 to 23:59, such as \"22:00\""
    ),
    (
      "[push]\nwindow = 45",
      "worker.toml:2:10: 'push.window' is a whole number: write a duration from 1m to 1d, such as \"45m\""
    ),
    (
      "[reviews]\nmost = 4",
      "worker.toml:2:8: 'reviews.most' is 4: write a whole number from 1 to 3, such as 3"
    ),
    (
      "[reviews]\ndecay = true",
      "worker.toml:2:9: 'reviews.decay' is a boolean: write a number from 0.01 to 1.0, such as 0.1"
    ),
    (
      "[reviews]\nstrategy = \"guess\"",
      "worker.toml:2:12: 'reviews.strategy' is 'guess': write a text, one of conquest or leitner, such as \"conquest\""
    ),
    (
      "[reviews]\nmots = 2",
      "worker.toml:2:1: unknown setting 'reviews.mots': did you mean 'reviews.most'?"
    ),
  ])
  func `a rule that cannot be is refused with what can`(text: String, said: String) throws {
    let error = #expect(throws: SettingsError.self) { try load(text) }

    #expect(error?.problems.map(\.description) == [said])
  }
}
