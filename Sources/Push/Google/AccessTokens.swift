public import LocalTime

/// Which access token pushes by Google are sent with, and who fetches the next one when.
public struct AccessTokens: Sendable {
  /// What a push is to do for a token.
  public enum Step: Sendable, Equatable {
    case use(BearerToken)

    /// Whoever is told so fetches one, and says what became of it; others have the old one meanwhile, or wait.
    case fetch(old: BearerToken?)

    /// Another fetches one, and there is none until then.
    case join

    /// Google gave none a short while ago.
    case wait(until: Instant, because: String)
  }

  /// What follows from Google's taking a token no more.
  public enum Refusal: Sendable, Equatable {
    /// The next push gets a new one.
    case isRenewed

    /// It was fetched because the one before was not taken either.
    case isRepeated
  }

  private struct Current {
    let token: BearerToken
    let fetchedAt: Instant
    let renewAt: Instant
    let endsAt: Instant

    /// Whether it was fetched because another was refused.
    let followsRefusal: Bool
  }

  private var current: Current?
  private var isRefused = false
  private var isBeingFetched = false
  private var fetched = 0
  private var failures = 0
  private var failed: (until: Instant, reason: String)?

  public init() {}

  /// What a push at `now` is to do.
  public mutating func step(at now: Instant) -> Step {
    let old = current.flatMap { !isRefused && serves($0, at: now) ? $0 : nil }
    if let old, now < old.renewAt { return .use(old.token) }
    if isBeingFetched { return old.map { .use($0.token) } ?? .join }
    if let failed, isAhead(failed.until, of: now) {
      return old.map { .use($0.token) } ?? .wait(until: failed.until, because: failed.reason)
    }
    isBeingFetched = true
    return .fetch(old: old?.token)
  }

  /// Notes what Google gave at `now`; it is renewed after 80 to 90 % of its life, as `chance` from 0 to 1 has it.
  mutating func note(_ grant: AccessGrant, at now: Instant, chance: Double) {
    fetched += 1
    let token = BearerToken(secret: grant.text, generation: fetched)
    current = Current(
      token: token, fetchedAt: now, renewAt: now + grant.life * (0.8 + 0.1 * chance),
      endsAt: now + grant.life * 0.95, followsRefusal: isRefused)
    (isBeingFetched, isRefused, failures, failed) = (false, false, 0, nil)
  }

  /// Notes that Google gave none: it is asked again after 1, 2, 4 … 60 seconds.
  public mutating func noteFailure(_ failure: OAuthFailure, at now: Instant) {
    isBeingFetched = false
    failures += 1
    let wait = failure.isFinal ? 60 : min(1 << min(failures - 1, 6), 60)
    failed = (now + .seconds(wait), failure.description)
  }

  /// Notes that a push was not taken for the token of that generation.
  public mutating func refuse(_ generation: Int, at now: Instant) -> Refusal {
    guard let current, current.token.generation == generation else { return .isRenewed }
    isRefused = true
    let isYoung = now - current.fetchedAt < .seconds(600)
    return current.followsRefusal && isYoung ? .isRepeated : .isRenewed
  }

  /// How long ago the current token was fetched.
  public func age(at now: Instant) -> Duration? { current.map { now - $0.fetchedAt } }

  /// How many were fetched.
  public var minted: Int { fetched }

  /// A clock that was set back before the token says nothing of its life.
  private func serves(_ current: Current, at now: Instant) -> Bool {
    now >= current.fetchedAt - .seconds(60) && now < current.endsAt
  }

  private func isAhead(_ instant: Instant, of now: Instant) -> Bool {
    now < instant && instant - now <= .seconds(60)
  }
}
