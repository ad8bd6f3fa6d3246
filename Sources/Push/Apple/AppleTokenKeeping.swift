public import LocalTime

/// What keeps a team's token for the process that comes after this one.
public protocol AppleTokenKeeping: Sendable {
  /// The token that was minted last with the team's key, by whichever process; nothing where none can be read.
  func kept() -> KeptToken?

  /// Keeps a token that was just minted; where that fails, the next process mints another.
  func keep(_ token: KeptToken)
}

/// A token, and when it was minted.
public struct KeptToken: Sendable, Equatable {
  let secret: Secret
  public let mintedAt: Instant

  init(secret: Secret, mintedAt: Instant) {
    (self.secret, self.mintedAt) = (secret, mintedAt)
  }

  public init(text: String, mintedAt: Instant) {
    self.init(secret: Secret(text), mintedAt: mintedAt)
  }
}
