public import Config
internal import JobKit

/// Where the texts of pushes come from and where pushes go: the first of the table `[push]`.
public struct PushPlaces: Sendable, Equatable {
  /// The folder of texts; nothing means those that are built in.
  public let messages: String?

  /// The file to which pushes are written; nothing means the log of the process, without their texts.
  public let log: String?

  private static let folder = path("messages", orElse: "the texts that are built in")
  private static let file = path("log", orElse: "the log, without texts")

  static let settings = [AnyRule(folder), AnyRule(file)]

  public init(_ store: RuleBook) {
    let places = (store[Self.folder], store[Self.file])
    messages = places.0.isEmpty ? nil : places.0
    log = places.1.isEmpty ? nil : places.1
  }

  private static func path(_ key: String, orElse words: String) -> Rule<String> {
    Rule("push", key, "", that: "that is an absolute path, or \"\" for \(words)") {
      ($0.isEmpty || $0.hasPrefix("/")) && !$0.unicodeScalars.contains("\0")
    }
  }
}
