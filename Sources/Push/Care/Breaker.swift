/// Whether a provider is asked at all.
///
/// When it takes nothing any more, as for a key that it does not know, each push would only be one more refusal. So
/// none leaves for a minute, and then one, to see.
public struct Breaker: Sendable {
  /// What may leave.
  public enum Admission: Sendable, Equatable {
    case all

    /// One, which decides about the others.
    case one

    case none(because: String, wait: Duration)
  }

  private enum State: Sendable {
    case closed
    case open(until: ContinuousClock.Instant, because: String)
    case probing(since: ContinuousClock.Instant, because: String)
  }

  private var state = State.closed
  private var answers = AnswerWindow()
  private var unknown = RecentTimes(most: 20, within: .seconds(3600))
  private var failedConnections = 0

  /// When it stopped the provider; a probe that fails changes nothing of that.
  private var openedAt: ContinuousClock.Instant?

  /// For how long nothing leaves, and how long the one that is sent to see may take.
  private static let rest = Duration.seconds(60)

  public init() {}

  /// What may leave at `now`; whoever is told ``Admission/one`` sends it, and notes what became of it.
  public mutating func admit(at now: ContinuousClock.Instant) -> Admission {
    switch state {
    case .closed: return .all
    case .open(let until, let reason) where now < until:
      return .none(because: reason, wait: until - now)
    case .probing(let since, let reason) where now - since < Self.rest:
      return .none(because: reason, wait: Self.rest - (now - since))
    case .open(_, let reason), .probing(_, let reason):
      state = .probing(since: now, because: reason)
      return .one
    }
  }

  /// Notes what an answer says of the provider.
  public mutating func note(_ health: Verdict.Health, at now: ContinuousClock.Instant) {
    if case .probing(_, let reason) = state {
      if health == .good { close() } else { open(because: health.reason ?? reason, at: now) }
      return
    }
    guard health != .silent else { return }
    answers.note(isFailing: health == .failing || health == .unknown, at: now)
    if health == .unknown, unknown.note(at: now) {
      open(because: "20 answers that nobody knows", at: now)
    } else if let reason = health.reason {
      open(because: reason, at: now)
    } else if answers.areFailing(at: now) {
      open(because: "of the last minute's pushes it refused a fifth", at: now)
    }
  }

  /// Notes whether a connection could be made.
  public mutating func noteConnection(
    failing reason: String?, at now: ContinuousClock.Instant
  ) {
    guard let reason else {
      failedConnections = 0
      return
    }
    failedConnections += 1
    if failedConnections >= 3 || isProbing { open(because: reason, at: now) }
  }

  /// Lets nothing leave for a minute.
  public mutating func open(because reason: String, at now: ContinuousClock.Instant) {
    state = .open(until: now + Self.rest, because: reason)
    openedAt = openedAt ?? now
  }

  /// Why nothing leaves, or nothing.
  public var reason: String? {
    switch state {
    case .closed: nil
    case .open(_, let reason), .probing(_, let reason): reason
    }
  }

  private var isProbing: Bool { if case .probing = state { true } else { false } }

  private mutating func close() {
    self = Breaker()
  }
}

extension Breaker {
  /// How it stands, for people.
  public struct Figures: Sendable, Equatable {
    public enum State: String, Sendable {
      case closed
      case open

      /// One push has left to see whether the provider works.
      case halfOpen = "half_open"
    }

    public let state: State

    /// Why nothing leaves, and for how long that has been so.
    public let reason: String?
    public let lasting: Duration?

    /// How long it takes until one push may leave to see.
    public let wait: Duration?
  }

  /// How it stands at `now`.
  public func figures(at now: ContinuousClock.Instant) -> Figures {
    let (state, wait): (Figures.State, Duration?) =
      switch state {
      case .closed: (.closed, nil)
      case .open(let until, _): (.open, max(until - now, .zero))
      case .probing(let since, _): (.halfOpen, max(since + Self.rest - now, .zero))
      }
    let lasting = state == .closed ? nil : openedAt.map { now - $0 }
    return Figures(state: state, reason: reason, lasting: lasting, wait: wait)
  }
}

extension Verdict.Health {
  fileprivate var reason: String? { if case .closed(let reason) = self { reason } else { nil } }
}
