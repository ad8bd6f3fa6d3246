extension PushToken {
  /// What the token is called where it may not be shown: the first 12 digits of its SHA-256.
  public var digest: String {
    guard let hash = try? Digest.sha256(secret) else { return "…" }
    return Digest.hex(hash.prefix(6))
  }

  /// A text without the token.
  public func hidden(in text: String) -> String {
    secret.isEmpty ? text : text.replacing(secret, with: "«\(digest)»")
  }
}
