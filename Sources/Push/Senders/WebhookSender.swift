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
  private let care: Mutex<Care>

  /// A request holds its thread until it is answered.
  private let threads: [DispatchQueue]
  private let next = Atomic(0)

  public init(
    _ terms: WebhookTerms, within limits: WebhookLimits, rate: PushRate,
    through exchange: any WebhookExchange, journal: PushJournal? = nil, requestsAtOnce: Int = 16,
    now: @escaping @Sendable () -> Instant,
    clock: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
  ) {
    (self.terms, self.limits) = (terms, limits)
    (self.exchange, self.journal) = (exchange, journal)
    (self.now, self.clock) = (now, clock)
    care = Mutex(Care(rate: rate))
    threads = (0..<max(requestsAtOnce, 1)).map { DispatchQueue(label: "webhooks \($0)") }
  }

  public func leave(_ wanted: Int, at now: ContinuousClock.Instant) -> Care.Leave {
    care.withLock { $0.leave(wanted, at: now) }
  }

  public func send(_ push: PushMessage, then done: @escaping @Sendable (Delivery) -> Void) {
    let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
    threads[abs(number % threads.count)].async { @Sendable [self] in done(delivery(of: push)) }
  }

  private func delivery(of push: PushMessage) -> Delivery {
    do throws(Unsendable) {
      let target = try WebhookTarget(push.token, within: limits)
      let addresses = exchange.addresses(of: target.host)
      try target.check(addresses)
      // Not before the name is found: that may have taken it into quiet hours.
      let request = try terms.request(push, at: now())
      journal?.note(.leaving, push.id, of: push.claim)
      let delivery = judge(exchange.post(request, to: target, at: addresses))
      journal?.note(delivery, push)
      return delivery
    } catch {
      return error.delivery
    }
  }

  private func judge(_ outcome: WebhookOutcome) -> Delivery {
    let verdict =
      switch outcome {
      case .answered(let answer): WebhookAnswers.verdict(answer, at: now())
      case .notSent(let reason): Verdict(delivery: .notSent(reason), health: .silent)
      case .uncertain(let reason): Verdict.lost(reason)
      }
    // One that cannot be reached is no sign of what another does.
    care.withLock { $0.note(verdict, at: clock()) }
    return verdict.delivery
  }
}
