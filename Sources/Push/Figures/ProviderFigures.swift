public import HTTP2

/// All that is known of one provider at a moment: a value, which whoever asks gets at once.
public struct ProviderFigures: Sendable, Equatable {
  /// Its connections; nothing where each push has one of its own.
  public var connections: PoolFigures?

  /// How many pushes are out, how many wait for a stream, and how many may be out at once.
  public var inFlight = 0
  public var waiting = 0
  public var allowed = 0

  /// How many pushes may leave in a second now.
  public var rate = 0.0

  /// Whether it is asked at all; nothing where none is kept from leaving.
  public var breaker: Breaker.Figures?

  /// What pushes are sent with; nothing where they need no token.
  public var token: TokenFigures?

  public var answers = AnswerTally()

  /// How long ago the latest answer came.
  public var sinceAnswer: Duration?

  public init() {}
}

/// What is known of the token that pushes are sent with.
public struct TokenFigures: Sendable, Equatable {
  /// How long ago the current one was made; nothing before the first.
  public let age: Duration?

  /// How many were made.
  public let minted: Int

  public init(age: Duration?, minted: Int) {
    (self.age, self.minted) = (age, minted)
  }
}
