public import Config
internal import JobKit
import Push

/// What pushes say, in every locale that there are texts in.
public struct MessageCatalogue: Sendable {
  /// What one push says.
  struct Message: Sendable, Equatable {
    let title: MessageText
    let body: MessageText
  }

  /// The texts of one locale.
  struct Texts: Sendable {
    /// The language that they are in, such as `ko`.
    let language: String

    /// What to call a learner who has no name.
    let nameless: String
    var messages: [MessageName: Message] = [:]
  }

  private let texts: [String: Texts]
  private let names: [MessageName]

  /// The locales without which there is no catalogue: the last to fall back on, and most learners'.
  static let needed = ["ko", "en"]

  /// Reads the files of a folder, one for each locale; refuses them with all that is wrong in any.
  ///
  /// Each has a text for each variant of the experiments, and no other.
  public init(
    reading files: [MessageFile], for experiments: [PushExperiment] = PushRules().experiments
  ) throws(SettingsError) {
    names = MessageName.all(under: experiments)
    var texts: [String: Texts] = [:]
    var problems: [Problem] = []
    for file in files.sorted(by: { $0.path < $1.path }) {
      var reader = MessageReader(file, names: names)
      if let (locale, read) = reader.read() { texts[locale] = read }
      problems += reader.problems
    }
    problems += Self.missingLocales(in: files)
    guard problems.isEmpty else { throw SettingsError(problems: problems) }
    self.texts = texts
  }

  /// Says nothing at all.
  init() {
    (texts, names) = ([:], [])
  }

  private static func missingLocales(in files: [MessageFile]) -> [Problem] {
    let known = files.compactMap { Locale($0.name)?.name }
    return needed.filter { !known.contains($0) }.map { locale in
      Problem(
        file: files.first?.folder ?? "messages",
        what: .badMessage(MessageFault.missingLocale(locale).description))
    }
  }
}

extension MessageCatalogue {
  /// What is said in a locale: one without texts falls back on its language, then on English.
  ///
  /// Most locales are written as texts are found: only of others is asked what their words mean.
  func texts(in locale: String) -> Texts? {
    texts[locale]
      ?? (Locale(locale)?.fallbacks ?? ["en"]).lazy.compactMap { texts[$0] }.first
  }

  /// The title and the body for one learner.
  ///
  /// A variant that was given up since the push was planned falls back on the first that there is.
  func words(
    _ template: PushTemplate, variant: String?, from texts: Texts, with facts: MessageFacts
  ) -> (title: String, body: String)? {
    guard let message = message(template, variant, in: texts) else { return nil }
    let isNameless = facts.name.allSatisfy(\.isWhitespace)
    let facts =
      isNameless
      ? MessageFacts(
        name: texts.nameless, streakDays: facts.streakDays, pattern: facts.pattern) : facts
    return (message.title.filled(with: facts), message.body.filled(with: facts))
  }

  private func message(
    _ template: PushTemplate, _ variant: String?, in texts: Texts
  ) -> Message? {
    texts.messages[MessageName(template: template, variant: variant)]
      ?? names.first { $0.template == template }.flatMap { texts.messages[$0] }
  }
}

extension MessageCatalogue {
  /// The texts that this program was built with: those of `config/messages`.
  public static let builtIn =
    (try? MessageCatalogue(reading: builtInFiles)) ?? MessageCatalogue()

  static let builtInFiles = [
    MessageFile(path: "built in/en.toml", text: text(PackageResources.en_toml)),
    MessageFile(path: "built in/ko.toml", text: text(PackageResources.ko_toml)),
  ]

  private static func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self)
  }
}
