import Config
@testable import Jobs

import JobKit
import Testing
import TestSupport

@Suite("What pushes say")
struct MessageCatalogueTests {
  /// A whole file, in which `change` has been made.
  static func file(
    _ path: String = "m/ko.toml", replacing old: String = "", with new: String = ""
  ) -> MessageFile {
    let text = """
      nameless = "friend"
      [streak]
      title = "{streak_days} days"
      body = "Go on, {name}"
      [pattern]
      title = "{pattern}"
      body = "Review it, {name}"
      [encourage.warm]
      title = "warm"
      body = "{name}, come back"
      [encourage.funny]
      title = "funny"
      body = "{name}, come back"
      [basic]
      title = "Today"
      body = "{name}, begin"
      """
    return MessageFile(path: path, text: old.isEmpty ? text : text.replacing(old, with: new))
  }

  private func said(
    _ catalogue: MessageCatalogue, _ template: PushTemplate, variant: String? = nil,
    in locale: String, name: String = "Ana"
  ) throws -> String {
    let facts = MessageFacts(name: name, streakDays: 5, pattern: "-던")
    let texts = try #require(catalogue.texts(in: locale))
    let words = try #require(
      catalogue.words(template, variant: variant, from: texts, with: facts))
    return "\(words.title) | \(words.body)"
  }

  @Test func `the files that operators edit say what the program says without them`() throws {
    for name in ["ko.toml", "en.toml"] {
      let edited = try TextFile.read("config/messages/\(name)")

      #expect(
        MessageCatalogue.builtInFiles.contains { $0.path.hasSuffix(name) && $0.text == edited })
    }
    _ = try MessageCatalogue(reading: MessageCatalogue.builtInFiles)
  }

  @Test(
    arguments: [
      (PushTemplate.streak, nil, "Keep your 5 day streak"),
      (.pattern, nil, "Today's pattern: -던"),
      (.encourage, "warm", "Good to see you again"),
      (.encourage, "funny", "Your sentences are bored"),
      (.encourage, "given up", "Good to see you again"),
      (.encourage, nil, "Good to see you again"),
      (.basic, nil, "Today's sentences are ready"),
      (.basic, "one too many", "Today's sentences are ready"),
    ] as [(PushTemplate, String?, String)])
  func `each template and variant has its text`(
    template: PushTemplate, variant: String?, title: String
  ) throws {
    #expect(try said(.builtIn, template, variant: variant, in: "en").hasPrefix(title + " | "))
  }

  @Test(arguments: [
    ("ko", "ko"), ("ko-KR", "ko"), ("KO_kr", "ko"), ("en", "en"), ("en-GB", "en-gb"),
    ("en_GB", "en-gb"), ("en-AU", "en"), ("ja", "en"), ("zh-Hant-TW", "en"), ("", "en"),
    ("?", "en"),
  ])
  func `a locale without texts falls back on its language, then on English`(
    locale: String, texts: String
  ) throws {
    let files = ["ko", "en", "en-GB"].map { name in
      Self.file("m/\(name).toml", replacing: "Today", with: name.lowercased())
    }
    let catalogue = try MessageCatalogue(reading: files)

    #expect(try said(catalogue, .basic, in: locale) == "\(texts) | Ana, begin")
  }

  @Test(arguments: [
    ("Ana", "Ana"), ("", "friend"), ("  ", "friend"), ("A\nB", "A B"),
    (String(repeating: "가", count: 40), String(repeating: "가", count: 40)),
    (String(repeating: "가", count: 41), String(repeating: "가", count: 39) + "…"),
  ])
  func `a name is shown on one line and never fills the screen`(name: String, shown: String) throws
  {
    let catalogue = try MessageCatalogue(reading: [Self.file(), Self.file("m/en.toml")])

    #expect(try said(catalogue, .basic, in: "en", name: name) == "Today | \(shown), begin")
  }

  @Test func `where a tap leads depends on the template`() {
    let links = PushTemplate.allCases.map { $0.link(pattern: "deon") }

    #expect(
      links == [
        "app://session/warmup", "app://review/pattern/deon", "app://session/warmup",
        "app://session/warmup",
      ])
    #expect(PushTemplate.pattern.link(pattern: nil) == "app://session/warmup")
  }

  @Test func `there is a text for each variant that learners are split between`() throws {
    let experiments = [PushExperiment("tone", on: .basic, variants: ["plain": 1, "loud": 1])]
    let files = ["m/ko.toml", "m/en.toml"].map { path in
      MessageFile(
        path: path,
        text: """
          nameless = "friend"
          streak = { title = "a", body = "b" }
          pattern = { title = "a", body = "b" }
          encourage = { title = "a", body = "b" }
          basic.plain = { title = "plain", body = "{name}" }
          basic.loud = { title = "LOUD", body = "{name}" }
          """)
    }

    let catalogue = try MessageCatalogue(reading: files, for: experiments)

    #expect(try said(catalogue, .basic, variant: "loud", in: "en") == "LOUD | Ana")
    #expect(try said(catalogue, .basic, variant: nil, in: "en") == "plain | Ana")
    #expect(throws: SettingsError.self) { try MessageCatalogue(reading: files) }
  }
}
