public import JobKit
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
    /// What to call a learner who has no name.
    let nameless: String
    var messages: [MessageName: Message] = [:]
  }

  private let texts: [String: Texts]

  /// The locales without which there is no catalogue: the last to fall back on, and most learners'.
  static let needed = ["ko", "en"]

  /// Reads the files of a folder, one for each locale; refuses them with all that is wrong in any.
  public init(reading files: [MessageFile]) throws(SettingsError) {
    var texts: [String: Texts] = [:]
    var problems: [Problem] = []
    for file in files.sorted(by: { $0.path < $1.path }) {
      var reader = MessageReader(file)
      if let (locale, read) = reader.read() { texts[locale] = read }
      problems += reader.problems
    }
    let named = files.compactMap { Locale($0.name)?.name }
    let folder = files.first.map { $0.path.split(separator: "/", omittingEmptySubsequences: false) }
    let path = folder.flatMap { $0.count > 1 ? $0.dropLast().joined(separator: "/") : nil }
    for locale in Self.needed where !named.contains(locale) {
      let fault = MessageFault.missingLocale(locale)
      problems.append(Problem(file: path ?? "messages", what: .badMessage(fault.description)))
    }
    guard problems.isEmpty else { throw SettingsError(problems: problems) }
    self.texts = texts
  }

  init(_ texts: [String: Texts]) {
    self.texts = texts
  }
}

/// Which of a locale's messages.
struct MessageName: Hashable, Sendable {
  let template: MessageTemplate
  let variant: String?

  /// Every one that there has to be, in the order in which people read them.
  static let all: [MessageName] = MessageTemplate.allCases.flatMap { template in
    template.variants.isEmpty
      ? [MessageName(template: template, variant: nil)]
      : template.variants.map { MessageName(template: template, variant: $0) }
  }
}

extension MessageCatalogue {
  /// The title and the body for one learner.
  ///
  /// A locale without texts falls back on its language, then on English; a variant that was given up
  /// since the push was planned, on the first that there is.
  func words(
    _ template: MessageTemplate, variant: String?, in locale: String, with facts: MessageFacts
  ) -> (title: String, body: String)? {
    let fallbacks = Locale(locale)?.fallbacks ?? ["en"]
    guard let found = fallbacks.compactMap({ texts[$0] }).first,
      let message = found.message(template, variant: variant)
    else { return nil }
    let isNameless = facts.name.allSatisfy(\.isWhitespace)
    let facts =
      isNameless
      ? MessageFacts(
        name: found.nameless, streakDays: facts.streakDays, pattern: facts.pattern) : facts
    return (message.title.filled(with: facts), message.body.filled(with: facts))
  }
}

extension MessageCatalogue.Texts {
  fileprivate func message(
    _ template: MessageTemplate, variant: String?
  ) -> MessageCatalogue.Message? {
    messages[MessageName(template: template, variant: variant)]
      ?? messages[MessageName(template: template, variant: template.variants.first)]
  }
}
