public import LocalTime
internal import Synchronization

/// The one place from which all connections of a process have an Apple team's token.
public final class AppleTokenSource: Sendable {
  private let tokens: Mutex<AppleTokens>

  public init(_ tokens: AppleTokens) {
    self.tokens = Mutex(tokens)
  }

  public convenience init(of team: AppleTeam, keptBy keeper: (any AppleTokenKeeping)? = nil) {
    self.init(
      AppleTokens(keptBy: keeper) { now throws(SigningKeyError) in try team.mint(at: now) })
  }

  /// The token for a push at `now`.
  public func token(at now: Instant) throws(SigningKeyError) -> AppleTokens.Answer {
    try tokens.withLock { tokens throws(SigningKeyError) in try tokens.token(at: now) }
  }

  /// Does what an answer to a push with the token of that generation asks for; returns why Apple can be asked no
  /// more, if so.
  public func heed(_ advice: Verdict.Token, of generation: Int, at now: Instant) -> String? {
    switch advice {
    case .keep: return nil
    case .freeze:
      tokens.withLock { $0.freeze(at: now) }
      return nil
    case .renew:
      let expiry = tokens.withLock { $0.expire(generation, at: now) }
      guard expiry == .isImpossible else { return nil }
      return "Apple calls a new token expired: set this host's clock right"
    }
  }

  /// How long ago the current token was minted.
  public func age(at now: Instant) -> Duration? { tokens.withLock { $0.age(at: now) } }

  /// How many were minted.
  public var minted: Int { tokens.withLock(\.minted) }
}
