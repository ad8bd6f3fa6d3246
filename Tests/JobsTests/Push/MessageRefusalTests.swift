import Config
@testable import Jobs

import JobKit
import Testing

@Suite("Texts that are refused")
struct MessageRefusalTests {
  private func refusals(_ files: MessageFile...) -> [String] {
    do throws(SettingsError) {
      _ = try MessageCatalogue(reading: files)
      return []
    } catch {
      return error.problems.map(\.description)
    }
  }

  /// What is said of a file in which `old` was replaced by `new`.
  private func refusals(replacing old: String, with new: String) -> [String] {
    refusals(
      MessageCatalogueTests.file(replacing: old, with: new),
      MessageCatalogueTests.file("m/en.toml"))
  }

  @Test(arguments: [
    (
      "{name}, begin", "{nam}, begin",
      "m/ko.toml:16:8: 'basic.body' speaks of '{nam}', which is not known then: write {name}, or none"
    ),
    (
      "Go on, {name}", "{pattern}",
      "m/ko.toml:4:8: 'streak.body' speaks of '{pattern}', which is not known then: write {name} or"
        + " {streak_days}, or none"
    ),
    (
      "{name}, begin", "{name, begin",
      "m/ko.toml:16:8: 'basic.body' has a brace without its other half: write a placeholder as in"
        + " {name}"
    ),
    (
      "{name}, begin", "name}, begin",
      "m/ko.toml:16:8: 'basic.body' has a brace without its other half: write a placeholder as in"
        + " {name}"
    ),
    ("\"Today\"", "\" \"", "m/ko.toml:15:9: 'basic.title' is empty: a push needs something to say"),
    ("\"Today\"", "7", "m/ko.toml:15:9: 'basic.title' is a whole number: write text in quotes"),
    ("title = \"Today\"\n", "", "m/ko.toml:14:1: there is no 'basic.title': write one"),
    (
      "nameless = \"friend\"\n", "", "m/ko.toml: there is no 'nameless': write one"
    ),
    (
      "[basic]\ntitle = \"Today\"\nbody = \"{name}, begin\"", "",
      "m/ko.toml: there is no [basic]: write it, with a title and a body"
    ),
    (
      "[encourage.funny]\ntitle = \"funny\"\nbody = \"{name}, come back\"\n", "",
      "m/ko.toml:8:1: there is no [encourage.funny]: write it, with a title and a body"
    ),
    (
      "[basic]", "[[basic]]",
      "m/ko.toml:14:1: 'basic' is a list: write [basic] on a line of its own, and its title and body"
        + " below"
    ),
    (
      "title = \"warm\"", "titel = \"x\"\ntitle = \"warm\"",
      "m/ko.toml:9:1: unknown text 'encourage.warm.titel': did you mean 'encourage.warm.title'?"
    ),
    (
      "[basic]", "[sad]\ntitle = \"x\"\n[basic]",
      "m/ko.toml:14:2: unknown text 'sad': no push would ever show it"
    ),
    (
      "\"Today\"", "\"Today", "m/ko.toml:15:9: '\"Today' has no end: close it with \""
    ),
  ])
  func `each fault is told with its place and with what to write`(
    old: String, new: String, refusal: String
  ) {
    #expect(refusals(replacing: old, with: new).contains(refusal))
  }

  @Test func `all that is wrong is told at once`() {
    let found = refusals(
      MessageCatalogueTests.file(replacing: "{name}", with: "{who}"),
      MessageCatalogueTests.file("m/en.toml", replacing: "warm", with: "cold"))

    #expect(found.count == 7)
  }

  @Test(arguments: [
    (["m/ko.toml"], "en"), (["m/en.toml"], "ko"), (["m/en-GB.toml", "m/ko.toml"], "en"),
  ])
  func `Korean and English have to be there`(paths: [String], missing: String) {
    let files = paths.map { MessageCatalogueTests.file($0) }

    #expect(throws: SettingsError.self) { try MessageCatalogue(reading: files) }
    let error = #expect(throws: SettingsError.self) { try MessageCatalogue(reading: files) }
    #expect(
      error?.description
        == "m: there is no \(missing).toml: every learner has texts in ko or in en to fall back on,"
        + " so write it")
  }

  @Test func `a file is called after its locale`() {
    let found = refusals(
      MessageCatalogueTests.file(), MessageCatalogueTests.file("m/en.toml"),
      MessageCatalogueTests.file("m/korean.toml"))

    #expect(
      found == [
        "m/korean.toml: 'korean' names no locale: call the file after its language, as in ko.toml or"
          + " en-GB.toml"
      ])
  }

  @Test(arguments: [(3719, 0), (3720, 1)])
  func `a text that does not fit into a push with the longest names is refused`(
    letters: Int, count: Int
  ) {
    let found = refusals(
      replacing: "Today", with: String(repeating: "a", count: letters))

    #expect(found.count == count)
    if let first = found.first {
      #expect(
        first
          == "m/ko.toml:14:1: [basic] would take up to 4097 bytes with the longest names, and 4096"
          + " fit into a push: shorten its title or body")
    }
  }
}
