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
