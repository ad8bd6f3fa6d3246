public import LocalTime

/// Which token an Apple team's pushes are sent with, and when the next one is minted.
///
/// Apple takes a token for an hour, and no more than one in twenty minutes. So one serves all connections, for
/// fifty minutes, and whatever fails together is answered by one new token.
public struct AppleTokens: Sendable {
  /// What pushes are to do for a token.
  public enum Answer: Sendable, Equatable {
    case use(BearerToken)

    /// There is none before that: the last was minted too short a while ago.
    case wait(until: Instant)
  }

  /// What follows from Apple's saying that a token is too old.
  public enum Expiry: Sendable, Equatable {
    /// The next push gets a new one.
    case isRenewed

    /// It was minted short ago, so that a clock is wrong, this host's or Apple's.
    case isImpossible
  }

  private let mint: @Sendable (Instant) throws(SigningKeyError) -> Secret

  /// Where the token outlives the process, so that one that is started again and again shows Apple no new ones.
  private let keeper: (any AppleTokenKeeping)?
  private var current: (token: BearerToken, mintedAt: Instant)?

  /// How many of them another process had minted.
  private var adopted = 0

  /// Whether Apple takes the current one no more.
  private var isSpent = false

  /// Until when Apple wants no other token.
  private var frozenUntil: Instant?

  private static let longestUse = Duration.seconds(50 * 60)
  private static let longestLife = Duration.seconds(59 * 60)
  private static let shortestPause = Duration.seconds(20 * 60)

  public init(
    keptBy keeper: (any AppleTokenKeeping)? = nil,
    mint: @escaping @Sendable (Instant) throws(SigningKeyError) -> Secret
  ) {
    self.keeper = keeper
    self.mint = mint
  }

  /// The token for a push at `now`, minted when there is none that serves.
  public mutating func token(at now: Instant) throws(SigningKeyError) -> Answer {
    guard let (token, mintedAt) = current else {
      if let kept = adopt(at: now) { return .use(kept) }
      if let frozenUntil, isAhead(frozenUntil, of: now) { return .wait(until: frozenUntil) }
      return .use(try mintNext(at: now))
    }
    let age = now - mintedAt
    if !isSpent, age >= .zero, age <= Self.longestUse { return .use(token) }
    if let kept = adopt(at: now) { return .use(kept) }
    let earliest = max(mintedAt + Self.shortestPause, frozenUntil ?? mintedAt)
    guard isAhead(earliest, of: now) else { return .use(try mintNext(at: now)) }
    // An old one is better than none: Apple takes it for a while yet. So is one of a clock that was set back.
    return isSpent || age > Self.longestLife ? .wait(until: earliest) : .use(token)
  }

  /// Notes that Apple called the token of that generation too old.
  public mutating func expire(_ generation: Int, at now: Instant) -> Expiry {
    guard let (token, mintedAt) = current, token.generation == generation else { return .isRenewed }
    isSpent = true
    return isAhead(mintedAt + Self.shortestPause, of: now) ? .isImpossible : .isRenewed
  }

  /// Notes that Apple has seen too many tokens: the one that there is stays.
  public mutating func freeze(at now: Instant) {
    frozenUntil = now + Self.shortestPause
  }

  /// How long ago the current token was minted.
  public func age(at now: Instant) -> Duration? { current.map { now - $0.mintedAt } }

  /// How many were minted.
  public var minted: Int { generation - adopted }

  private var generation: Int { current?.token.generation ?? 0 }

  private mutating func mintNext(at now: Instant) throws(SigningKeyError) -> BearerToken {
    let token = BearerToken(secret: try mint(now), generation: generation + 1)
    current = (token, now)
    isSpent = false
    keeper?.keep(KeptToken(secret: token.secret, mintedAt: now))
    return token
  }

  /// Takes the token that was kept, when it serves and is not the one that there is.
  private mutating func adopt(at now: Instant) -> BearerToken? {
    guard let kept = keeper?.kept(), kept.secret != current?.token.secret,
      now - kept.mintedAt >= .zero, now - kept.mintedAt <= Self.longestUse
    else { return nil }
    let token = BearerToken(secret: kept.secret, generation: generation + 1)
    current = (token, kept.mintedAt)
    isSpent = false
    adopted += 1
    return token
  }

  /// Whether something is still to come; much further away than any pause, it was noted by a clock that was set
  /// back since.
  private func isAhead(_ instant: Instant, of now: Instant) -> Bool {
    now < instant && instant - now <= Self.shortestPause * 2
  }
}
