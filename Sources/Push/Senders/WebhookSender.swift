internal import Dispatch
public import LocalTime
internal import Synchronization

/// Brings pushes to webhooks, some at a time.
public final class WebhookSender: PushSender {
  private let terms: WebhookTerms
  private let limits: WebhookLimits
  private let exchange: any WebhookExchange
  private let journal: PushJournal?
  private let now: @Sendable () -> Instant
  private let clock: @Sendable () -> ContinuousClock.Instant
  private let state: Mutex<State>

  private struct State {
    var rate: PushRate
    var answers = AnswerTally()

    /// How many pushes each thread has in hand, or in its line.
    var loads: [Int]

    var inHand: Int { loads.reduce(0, +) }

    /// Gives a push to the thread that has the least to do: behind a slow receiver it would wait while others are free.
    mutating func takeThread() -> Int {
      let number = loads.indices.min { loads[$0] < loads[$1] } ?? 0
      loads[number] += 1
      return number
    }
  }

  /// A request holds its thread until it is answered.
  private let threads: [DispatchQueue]

  public init(
    _ terms: WebhookTerms, within limits: WebhookLimits, rate: PushRate,
    through exchange: any WebhookExchange, journal: PushJournal? = nil, requestsAtOnce: Int = 16,
    now: @escaping @Sendable () -> Instant,
    clock: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
  ) {
    (self.terms, self.limits) = (terms, limits)
    (self.exchange, self.journal) = (exchange, journal)
    (self.now, self.clock) = (now, clock)
    threads = (0..<max(requestsAtOnce, 1)).map { DispatchQueue(label: "webhooks \($0)") }
    state = Mutex(State(rate: rate, loads: threads.map { _ in 0 }))
  }

  /// Lets as many pushes leave as threads are free.
  ///
  /// A slow receiver must not keep the pushes behind it, nor those of other providers. What one receiver answers says
  /// nothing of the others, so it changes no rate and stops no other push.
  public func leave(_ wanted: Int, at now: ContinuousClock.Instant) -> Care.Leave {
    state.withLock { state in
      let free = threads.count - state.inHand
      guard free > 0 else { return .later(.milliseconds(50)) }
      let wait = state.rate.wait(at: now)
      return wait == .zero ? .now(state.rate.take(min(wanted, free), at: now)) : .later(wait)
    }
  }

  public func send(_ push: PushMessage, then done: @escaping @Sendable (Delivery) -> Void) {
    let number = state.withLock { $0.takeThread() }
    threads[number].async { @Sendable [self] in
      let delivery = delivery(of: push)
      state.withLock { $0.loads[number] -= 1 }
      done(delivery)
    }
  }

  public func noteKept(_ count: Int, because word: AnswerWord) {
    state.withLock { $0.answers.noteKept(count, word) }
  }

  public func figures(at now: ContinuousClock.Instant) -> ProviderFigures {
    let (rate, answers, busy) = state.withLock { ($0.rate, $0.answers, $0.inHand) }
    var figures = ProviderFigures()
    (figures.inFlight, figures.waiting) = (min(busy, threads.count), max(busy - threads.count, 0))
    (figures.allowed, figures.rate) = (threads.count, rate.limit(at: now))
    figures.answers = answers
    figures.sinceAnswer = answers.answeredAt.map { now - $0 }
    return figures
  }

  private func delivery(of push: PushMessage) -> Delivery {
    do throws(Unsendable) {
      let target = try WebhookTarget(push.token, within: limits)
      let addresses = exchange.addresses(of: target.host)
      try target.check(addresses)
      // Not before the name is found: that may have taken it into quiet hours. To connect may, too.
      let (request, name) = (try terms.request(push, at: now()), try push.uuid)
      let late = push.dueAt.map { now() - $0 }
      if let late { state.withLock { $0.answers.noteHandOff(late: late) } }
      let since = clock()
      let outcome = exchange.post(request, to: target, at: addresses) { [self] in mayLeave(push) }
      let delivery = judge(outcome, since: since, calledBy: name)
      journal?.note(delivery, push)
      return delivery
    } catch {
      state.withLock { $0.answers.note(error.delivery, AnswerWord(error)) }
      return error.delivery
    }
  }

  /// Whether a push may leave now that its connection stands; then the journal knows that it does.
  private func mayLeave(_ push: PushMessage) -> Bool {
    let isInTime = { [now] in now() < push.end }
    guard let journal, let key = JournalKey(push: push.id, claim: push.claim) else {
      return isInTime()
    }
    return journal.markLeaving([key], if: isInTime)
  }

  /// What became of a push, which its receiver knows by `name`.
  private func judge(
    _ outcome: WebhookOutcome, since: ContinuousClock.Instant, calledBy name: String
  ) -> Delivery {
    let (delivery, word): (Delivery, AnswerWord) =
      switch outcome {
      case .answered(let answer):
        (WebhookAnswers.verdict(answer, at: now()).delivery, WebhookAnswers.word(answer))
      case .notSent(let reason): (.notSent(reason), .notConnected)
      case .uncertain(let reason): (.uncertain(reason), .noAnswer)
      case .late: (Unsendable.late.delivery, .late)
      }
    let moment = clock()
    state.withLock { state in
      state.answers.note(delivery, word)
      if case .answered = outcome {
        state.answers.noteAnswer(after: moment - since, at: moment)
      }
    }
    return delivery == .sent ? .accepted(as: name) : delivery
  }
}
