internal import HTTP2
internal import LocalTime
internal import Web

/// A way to a provider that a watch looks at.
struct WatchedProvider: StreamProvider {
  let provider: any StreamProvider
  let watch: PushWatch

  var namingHeaders: [String] { provider.namingHeaders }

  func token(at now: LocalTime.Instant) throws(Unsendable) -> BearerToken {
    try provider.token(at: now)
  }

  func request(_ push: PushMessage, at now: LocalTime.Instant) throws(Unsendable) -> PushRequest {
    try provider.request(push, at: now)
  }

  func verdict(
    _ answer: ProviderAnswer, to push: PushMessage, at now: LocalTime.Instant
  ) -> Verdict {
    let verdict = provider.verdict(answer, to: push, at: now)
    watch.note(verdict)
    return verdict
  }

  func heed(
    _ advice: Verdict.Token, of generation: Int, at now: LocalTime.Instant
  ) -> String? {
    provider.heed(advice, of: generation, at: now)
  }
}

/// A way to a server that a watch looks at.
struct WatchedRequests: RequestSending {
  let requests: any RequestSending
  let server: String
  let watch: PushWatch

  var failures: Int { requests.failures }
  var complaints: (count: Int, word: String)? { requests.complaints }

  func rest() { requests.rest() }
  func renew() { requests.renew() }

  func send(_ request: Request, then completion: @escaping @Sendable (End) -> Void) {
    watch.noteRequest(
      to: server, path: request.path, headers: request.headers.map { ($0.name, $0.value) },
      body: String(decoding: request.body, as: UTF8.self))
    requests.send(request) { [watch] end in
      watch.noteEnd(Self.answer(end))
      completion(end)
    }
  }

  private static func answer(_ end: End) -> PushWatch.Answer? {
    guard case .answered(let answer) = end else { return nil }
    return PushWatch.Answer(
      status: answer.status, headers: answer.headers.map { ($0.name, $0.value) }, body: answer.body)
  }
}

/// A way to webhooks that a watch looks at.
struct WatchedWebhooks: WebhookExchange {
  let webhooks: any WebhookExchange
  let watch: PushWatch

  func addresses(of host: String) -> [NetworkAddress] { webhooks.addresses(of: host) }

  func post(
    _ request: PushRequest, to target: WebhookTarget, at addresses: [NetworkAddress],
    if mayLeave: @escaping @Sendable () -> Bool
  ) -> WebhookOutcome {
    watch.noteRequest(
      to: "\(target.host):\(target.port)", path: request.path,
      headers: request.headers.map { ($0.name, $0.value) }, body: request.body)
    let outcome = webhooks.post(request, to: target, at: addresses, if: mayLeave)
    watch.noteEnd(Self.answer(outcome))
    return outcome
  }

  private static func answer(_ outcome: WebhookOutcome) -> PushWatch.Answer? {
    guard case .answered(let answer) = outcome else { return nil }
    let retryAfter = answer.retryAfter.map { [("retry-after", $0)] }
    return PushWatch.Answer(
      status: answer.status, headers: retryAfter ?? [], body: answer.body)
  }
}
