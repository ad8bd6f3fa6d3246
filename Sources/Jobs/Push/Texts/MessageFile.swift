/// A file of texts, as it was read.
public struct MessageFile: Sendable {
  /// Where it stands, such as `config/messages/ko.toml`.
  public let path: String
  public let text: String

  public init(path: String, text: String) {
    self.path = path
    self.text = text
  }

  /// The folder that it stands in.
  var folder: String? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count > 1 ? parts.dropLast().joined(separator: "/") : nil
  }

  /// What it is called without its folder and its ending.
  var name: String {
    let file = path.split(separator: "/").last ?? ""
    return String(file.hasSuffix(".toml") ? file.dropLast(5) : file)
  }
}

/// The language of texts, and perhaps a place: `ko`, or `en-gb`.
struct Locale: Hashable, Sendable {
  let name: String

  /// Reads `ko`, `en-GB` or `en_GB`.
  init?(_ text: String) {
    let name = text.lowercased().replacing("_", with: "-")
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    guard let language = parts.first, (2...3).contains(language.count),
      parts.allSatisfy({ (2...8).contains($0.count) && $0.allSatisfy(\.isASCIIWordLetter) })
    else { return nil }
    self.name = name
  }

  /// What is left when nothing is said of the place.
  var language: String { String(name.prefix { $0 != "-" }) }

  /// The locale itself, the same with less and less said of the place, and last English.
  var fallbacks: [String] {
    let parts = name.split(separator: "-")
    let own = (1...parts.count).reversed().map { parts.prefix($0).joined(separator: "-") }
    return own + (own.contains("en") ? [] : ["en"])
  }
}

extension Character {
  fileprivate var isASCIIWordLetter: Bool { isASCII && (isLetter || isNumber) }
}
