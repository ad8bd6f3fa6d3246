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
  private let rate: Mutex<PushRate>

  /// A request holds its thread until it is answered.
  private let threads: [DispatchQueue]
  private let next = Atomic(0)

  /// How many pushes are in hand, or wait for a thread.
  private let inHand = Atomic(0)

  public init(
    _ terms: WebhookTerms, within limits: WebhookLimits, rate: PushRate,
    through exchange: any WebhookExchange, journal: PushJournal? = nil, requestsAtOnce: Int = 16,
    now: @escaping @Sendable () -> Instant
  ) {
    (self.terms, self.limits) = (terms, limits)
    (self.exchange, self.journal) = (exchange, journal)
    self.now = now
    self.rate = Mutex(rate)
    threads = (0..<max(requestsAtOnce, 1)).map { DispatchQueue(label: "webhooks \($0)") }
  }

  /// Lets as many pushes leave as threads are free.
  ///
  /// A slow receiver must not keep the pushes behind it, nor those of other providers. What one receiver answers says
  /// nothing of the others, so it changes no rate and stops no other push.
  public func leave(_ wanted: Int, at now: ContinuousClock.Instant) -> Care.Leave {
    let free = threads.count - inHand.load(ordering: .relaxed)
    guard free > 0 else { return .later(.milliseconds(50)) }
    return rate.withLock { rate in
      let wait = rate.wait(at: now)
      return wait == .zero ? .now(rate.take(min(wanted, free), at: now)) : .later(wait)
    }
  }

  public func send(_ push: PushMessage, then done: @escaping @Sendable (Delivery) -> Void) {
    inHand.wrappingAdd(1, ordering: .relaxed)
    let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
    threads[abs(number % threads.count)].async { @Sendable [self] in
      let delivery = delivery(of: push)
      inHand.wrappingSubtract(1, ordering: .relaxed)
      done(delivery)
    }
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
    switch outcome {
    case .answered(let answer): WebhookAnswers.verdict(answer, at: now()).delivery
    case .notSent(let reason): .notSent(reason)
    case .uncertain(let reason): .uncertain(reason)
    }
  }
}
