internal import LocalTime

/// The file in a daemon's state folder that keeps a team's token.
///
/// It has one line: what the key is known by, when the token was minted, and the token. With another key, or another
/// mode than 0600, it counts as missing.
public struct AppleTokenFile: AppleTokenKeeping {
  private let path: String

  /// What tells the key with which the token was made from others, and shows nothing of it.
  private let maker: String

  /// The file in `folder` of a team and its key; nothing where this host cannot tell keys apart.
  init?(in folder: String, team: String, keyID: String, key: Secret) {
    guard let hash = Libcrypto.sha256(Array("apple token \(team) \(keyID) ".utf8) + key.bytes)
    else { return nil }
    path = "\(folder)/\(team)-\(keyID).apple-token"
    maker = Digest.hex(hash)
  }

  public func kept() -> KeptToken? {
    guard let text = (try? KeyFile.read(path, mayBeReadByGroup: false))?.text else { return nil }
    let words = text.split(whereSeparator: \.isWhitespace)
    guard words.count == 3, words[0] == maker, let microseconds = Int64(words[1]),
      (0..<1 << 53).contains(microseconds),
      words[2].utf8.allSatisfy({ (0x21..<0x7F).contains($0) })
    else { return nil }
    return KeptToken(
      text: String(words[2]), mintedAt: Instant(microseconds: microseconds))
  }

  public func keep(_ token: KeptToken) {
    guard let text = token.secret.text else { return }
    KeyFile.replace(path, by: Secret("\(maker) \(token.mintedAt.microseconds) \(text)\n"))
  }
}
