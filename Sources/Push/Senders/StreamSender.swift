public import HTTP2
public import LocalTime
internal import Synchronization

/// Brings pushes to a provider by HTTP/2, as many at once as its connections take.
public final class StreamSender: PushSender {
  private let provider: any StreamProvider
  private let requests: any RequestSending
  private let journal: RequestJournal?
  private let now: @Sendable () -> LocalTime.Instant
  private let clock: @Sendable () -> ContinuousClock.Instant
  private let state: Mutex<State>

  private struct State {
    var care: Care
    var answers = AnswerTally()
    var lastID: UInt64 = 0

    /// How many connections had failed when that was looked at last.
    var failures = 0

    /// How many complaints there had been.
    var complaints = 0

    /// When the connections were let end last: answers of the old ones must not end the new ones.
    var renewedAt: ContinuousClock.Instant?

    mutating func note(_ complaints: (count: Int, word: String), at now: ContinuousClock.Instant) {
      guard complaints.count > self.complaints else { return }
      for _ in 0..<min(complaints.count - self.complaints, 3) {
        care.noteComplaint(complaints.word, at: now)
      }
      self.complaints = complaints.count
    }

    mutating func mayRenew(at now: ContinuousClock.Instant) -> Bool {
      guard renewedAt.map({ now - $0 >= .seconds(60) }) ?? true else { return false }
      renewedAt = now
      return true
    }
  }

  /// How long before it expires a push must be sent: it may have to wait for a connection.
  static let slack = 15

  public init(
    to provider: any StreamProvider, by requests: any RequestSending, rate: PushRate,
    journal: RequestJournal? = nil, now: @escaping @Sendable () -> LocalTime.Instant,
    clock: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
  ) {
    (self.provider, self.requests, self.journal) = (provider, requests, journal)
    (self.now, self.clock) = (now, clock)
    state = Mutex(State(care: Care(rate: rate)))
  }

  /// Its connections would be kept open for as long as the process lives.
  deinit {
    requests.rest()
  }

  public func leave(_ wanted: Int, at now: ContinuousClock.Instant) -> Care.Leave {
    state.withLock { $0.care.leave(wanted, at: now) }
  }

  public func send(_ push: PushMessage, then done: @escaping @Sendable (Delivery) -> Void) {
    do throws(Unsendable) {
      let (request, token) = try request(for: push)
      let since = clock()
      journal?.expect(request.id, push)
      requests.send(request) { [self] end in
        done(judge(end, of: push, request.id, sentWith: token.generation, since: since))
      }
    } catch {
      state.withLock { $0.answers.note(error.delivery, AnswerWord(error)) }
      done(error.delivery)
    }
  }

  public func noteKept(_ count: Int, because word: AnswerWord) {
    state.withLock { $0.answers.noteKept(count, word) }
  }

  public func figures(at moment: ContinuousClock.Instant) -> ProviderFigures {
    let (pool, token) = (requests.figures, provider.tokens(at: now()))
    let (care, answers) = state.withLock { ($0.care, $0.answers) }
    var figures = ProviderFigures()
    figures.connections = pool
    (figures.inFlight, figures.waiting) = (pool.inFlight, pool.waiting)
    figures.allowed = pool.streamsAllowed
    (figures.rate, figures.token) = (care.rate.limit(at: moment), token)
    figures.breaker = care.breaker.figures(at: moment)
    figures.answers = answers
    figures.sinceAnswer = answers.answeredAt.map { moment - $0 }
    return figures
  }

  private func request(for push: PushMessage) throws(Unsendable) -> (Request, BearerToken) {
    // First the token: to fetch one may take until quiet hours.
    let token = try provider.token(at: now())
    // The stopwatch first: a freeze between the two looks must not make its time longer.
    let since = clock()
    let end = since + (try lasting(of: push, at: now()))
    let asked = try provider.request(push, at: now())
    let headers = asked.headers.map { HeaderField($0.name, $0.value, isUnique: $0.isUnique) }
    let late = push.dueAt.map { now() - $0 }
    let id = state.withLock { state in
      if let late { state.answers.noteHandOff(late: late) }
      state.lastID += 1
      return state.lastID
    }
    let request = Request(
      id: id, path: asked.path, headers: headers + [HeaderField("authorization", token.header)],
      body: Array(asked.body.utf8), token: token.generation, until: end)
    return (request, token)
  }

  /// For how long from `moment` on a connection may still get it: a connection that stands still for longer than what
  /// the end of a push leaves of its window writes none of what it has.
  private func lasting(of push: PushMessage, at moment: LocalTime.Instant) throws(Unsendable)
    -> Duration
  {
    let left = push.expiresAt - moment.secondsSince1970
    let lasting = push.end - moment
    guard left > Self.slack, lasting > .zero else { throw .late }
    return lasting
  }

  /// What became of a push, and what follows from it for others.
  private func judge(
    _ end: End, of push: PushMessage, _ id: UInt64, sentWith generation: Int,
    since: ContinuousClock.Instant
  ) -> Delivery {
    let (verdict, word) = verdict(end, of: push)
    let reason = provider.heed(verdict.token, of: generation, at: now())
    let (failures, complaints) = (requests.failures, requests.complaints)
    let moment = clock()
    let renews = state.withLock { state in
      state.answers.note(verdict.delivery, word)
      if case .answered = end {
        state.answers.noteAnswer(after: moment - since, at: moment)
        state.care.noteConnection(failing: nil, at: moment)
      }
      // Many pushes may have waited for one connection.
      if case .notSent(.unconnected(let failure)) = end, failures > state.failures {
        state.care.noteConnection(failing: failure.description, at: moment)
      }
      state.failures = max(state.failures, failures)
      state.care.note(verdict, at: moment)
      if let complaints { state.note(complaints, at: moment) }
      if let reason { state.care.stop(because: reason, at: moment) }
      return verdict.connections == .renew && state.mayRenew(at: moment)
    }
    if renews { requests.renew() }
    journal?.note(verdict.delivery, of: id)
    return verdict.delivery
  }

  private func verdict(_ end: End, of push: PushMessage) -> (Verdict, AnswerWord) {
    switch end {
    case .answered(let answer):
      let name = provider.namingHeaders.lazy.compactMap { answer[$0] }.first
      let heard = ProviderAnswer(
        status: answer.status, body: answer.isWhole ? answer.body : [],
        retryAfter: answer["retry-after"], name: name)
      return (provider.verdict(heard, to: push, at: now()), provider.word(for: heard))
    case .notSent(let reason):
      // A connection that fails stops the provider, which has a wait of its own.
      let wait: Duration? = if case .unconnected = reason { nil } else { .seconds(5) }
      let delivery = Delivery.notSent(reason.description, wait: wait)
      return (Verdict(delivery: delivery, health: .silent), AnswerWord(reason))
    case .uncertain(let reason): return (.lost(reason.description), AnswerWord(reason))
    }
  }
}

/// What sends requests to one server, and tells once of each what became of it.
public protocol RequestSending: Sendable {
  func send(_ request: Request, then completion: @escaping @Sendable (End) -> Void)

  /// How many connections could not be made so far.
  var failures: Int { get }

  /// What its connections do and have done.
  var figures: PoolFigures { get }

  /// How many of the server's GOAWAYs were complaints so far, and the word of the last.
  var complaints: (count: Int, word: String)? { get }

  /// Closes the connections when nothing is in hand: no more pushes come.
  func rest()

  /// Lets the connections end with their answers, so that the next pushes go by others.
  func renew()
}

extension RequestSending {
  public var complaints: (count: Int, word: String)? { nil }
  public func renew() {}
  public var figures: PoolFigures { PoolFigures() }
}

extension ConnectionPool: RequestSending {
  public var failures: Int { figures.failed.values.reduce(0, +) }
}
