public import LocalTime

/// What differs between providers that are asked by HTTP/2.
public protocol StreamProvider: Sendable {
  /// The token to send a push with at `now`; throws why there is none, and when there may be one.
  func token(at now: Instant) throws(Unsendable) -> BearerToken

  /// What is asked for a push at `now`; throws when it cannot be sent at all.
  func request(_ push: PushMessage, at now: Instant) throws(Unsendable) -> PushRequest

  /// What an answer at `now` means for a push, and for those after it.
  func verdict(_ answer: ProviderAnswer, to push: PushMessage, at now: Instant) -> Verdict

  /// The word by which an answer is counted.
  func word(for answer: ProviderAnswer) -> AnswerWord

  /// What is known of its tokens at `now`.
  func tokens(at now: Instant) -> TokenFigures?

  /// Does what an answer to a push with the token of that generation asks for; returns why the provider can be
  /// asked no more, if so.
  func heed(_ advice: Verdict.Token, of generation: Int, at now: Instant) -> String?

  /// The header in which it names what it took.
  var namingHeaders: [String] { get }
}

extension StreamProvider {
  public func word(for answer: ProviderAnswer) -> AnswerWord {
    answer.status == 200 ? .accepted : AnswerWord(status: answer.status)
  }

  public func tokens(at now: Instant) -> TokenFigures? { nil }
}

/// Apple's provider, for one app.
public struct AppleProvider: StreamProvider {
  private let terms: AppleTerms
  private let tokens: AppleTokenSource

  public init(_ terms: AppleTerms, tokens: AppleTokenSource) {
    (self.terms, self.tokens) = (terms, tokens)
  }

  /// The sandbox says by the first what its console finds the push by.
  public var namingHeaders: [String] { ["apns-unique-id", "apns-id"] }

  public func token(at now: Instant) throws(Unsendable) -> BearerToken {
    let answer: AppleTokens.Answer
    do throws(SigningKeyError) { answer = try tokens.token(at: now) } catch {
      throw Unsendable(.notSent(error.description))
    }
    switch answer {
    case .use(let token): return token
    case .wait(let until):
      throw Unsendable(.notSent("Apple takes no new token yet", wait: until - now))
    }
  }

  public func request(_ push: PushMessage, at now: Instant) throws(Unsendable) -> PushRequest {
    try terms.request(push, at: now)
  }

  public func verdict(_ answer: ProviderAnswer, to push: PushMessage, at now: Instant) -> Verdict {
    AppleAnswers.verdict(answer, to: push, at: now)
  }

  public func word(for answer: ProviderAnswer) -> AnswerWord { AppleAnswers.word(answer) }

  public func tokens(at now: Instant) -> TokenFigures? {
    TokenFigures(age: tokens.age(at: now), minted: tokens.minted)
  }

  public func heed(_ advice: Verdict.Token, of generation: Int, at now: Instant) -> String? {
    tokens.heed(advice, of: generation, at: now)
  }
}

/// Google's provider, for one project.
public struct GoogleProvider: StreamProvider {
  private let terms: GoogleTerms
  private let tokens: AccessTokenSource

  public init(_ terms: GoogleTerms, tokens: AccessTokenSource) {
    (self.terms, self.tokens) = (terms, tokens)
  }

  public var namingHeaders: [String] { [] }

  public func token(at now: Instant) throws(Unsendable) -> BearerToken {
    do throws(OAuthFailure) { return try tokens.token(at: { now }) } catch {
      throw Unsendable(.notSent(error.description))
    }
  }

  public func request(_ push: PushMessage, at now: Instant) throws(Unsendable) -> PushRequest {
    try terms.request(push, at: now)
  }

  public func verdict(_ answer: ProviderAnswer, to push: PushMessage, at now: Instant) -> Verdict {
    GoogleAnswers.verdict(answer, at: now)
  }

  public func word(for answer: ProviderAnswer) -> AnswerWord { GoogleAnswers.word(answer) }

  public func tokens(at now: Instant) -> TokenFigures? {
    TokenFigures(age: tokens.age(at: now), minted: tokens.minted)
  }

  public func heed(_ advice: Verdict.Token, of generation: Int, at now: Instant) -> String? {
    advice == .renew ? tokens.refuse(generation, at: now) : nil
  }
}
