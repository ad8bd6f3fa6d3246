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
    // Bytes, and no characters: every push asks for its learner's locale.
    let bytes = text.utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0.lowercased }
    let parts = bytes.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard let language = parts.first, (2...3).contains(language.count),
      parts.allSatisfy({ (2...8).contains($0.count) && $0.allSatisfy { $0.isLowerWordLetter } })
    else { return nil }
    name = String(decoding: bytes, as: UTF8.self)
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

extension UInt8 {
  fileprivate var lowercased: UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self + 0x20 : self
  }

  fileprivate var isLowerWordLetter: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
  }
}
