internal import Dispatch
public import LocalTime
internal import Synchronization

/// The one place from which all connections of a process have a service account's access token.
public final class AccessTokenSource: Sendable {
  private let account: ServiceAccount
  private let exchange: any OAuthExchange
  private let state = Mutex(State())

  private struct State {
    var tokens = AccessTokens()

    /// Left when the token that is being fetched is there.
    var flight: DispatchGroup?
  }

  public init(of account: ServiceAccount, through exchange: any OAuthExchange) {
    self.account = account
    self.exchange = exchange
  }

  /// The token for a push: fetched by the first that needs it, while others wait for that.
  public func token(at now: @Sendable () -> Instant) throws(OAuthFailure) -> BearerToken {
    while true {
      let (step, flight) = state.withLock { state in
        let step = state.tokens.step(at: now())
        if case .fetch = step { state.flight = Self.flight() }
        return (step, state.flight)
      }
      switch step {
      case .use(let token): return token
      case .wait(_, let reason): throw OAuthFailure(reason)
      case .join: flight?.wait()
      case .fetch(let old):
        defer { flight?.leave() }
        do throws(OAuthFailure) { try fetch(at: now) } catch {
          // One that is taken for a while yet is better than none.
          guard let old else { throw error }
          return old
        }
      }
    }
  }

  /// Notes that a push was not taken for the token of that generation; returns why Google can be asked no more, if
  /// so.
  public func refuse(_ generation: Int, at now: Instant) -> String? {
    let refusal = state.withLock { $0.tokens.refuse(generation, at: now) }
    guard refusal == .isRepeated else { return nil }
    return "Google takes no access token of the service account: is it of this project?"
  }

  /// How long ago the current token was fetched.
  public func age(at now: Instant) -> Duration? { state.withLock { $0.tokens.age(at: now) } }

  /// How many were fetched.
  public var minted: Int { state.withLock(\.tokens.minted) }

  private func fetch(at now: @Sendable () -> Instant) throws(OAuthFailure) {
    do throws(OAuthFailure) {
      let grant = try AccessGrant(
        try exchange.post(AccessGrant.form(try assertion(at: now())), to: account.tokenURL))
      let chance = Double.random(in: 0...1)
      state.withLock { $0.tokens.note(grant, at: now(), chance: chance) }
    } catch {
      state.withLock { $0.tokens.noteFailure(error, at: now()) }
      throw error
    }
  }

  private func assertion(at now: Instant) throws(OAuthFailure) -> Secret {
    do throws(SigningKeyError) { return try account.assertion(at: now) } catch {
      throw OAuthFailure(error.description)
    }
  }

  private static func flight() -> DispatchGroup {
    let flight = DispatchGroup()
    flight.enter()
    return flight
  }
}
