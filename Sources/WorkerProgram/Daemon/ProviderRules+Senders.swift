internal import HTTP2
internal import Jobs
internal import LocalTime
internal import Push

extension ProviderRules.Apple {
  /// What brings pushes to Apple's provider, or to that of apps from a workshop.
  func sender(
    isSandbox: Bool, with tokens: AppleTokenSource, journal: PushJournal?
  ) -> StreamSender {
    let host = isSandbox ? "api.sandbox.push.apple.com" : "api.push.apple.com"
    let terms = AppleTerms(topic: topic, priority: priority)
    return way.sender(
      to: AppleProvider(terms, tokens: tokens), at: host, journal: journal, provesTokens: true)
  }
}

extension ProviderRules.Google {
  /// What brings pushes to Google's provider.
  func sender(of account: ServiceAccount, journal: PushJournal?) -> StreamSender {
    let terms = GoogleTerms(project: account.project, channel: channel)
    let tokens = AccessTokenSource(of: account, through: CurlOAuth())
    return way.sender(
      to: GoogleProvider(terms, tokens: tokens), at: "fcm.googleapis.com", journal: journal,
      provesTokens: false)
  }
}

extension ProviderRules.Webhook {
  /// What brings pushes to webhooks.
  func sender(with secrets: WebhookSecrets, journal: PushJournal?) -> WebhookSender {
    let limits = WebhookLimits(ports: Set(ports), networks: networks.compactMap { Network($0) })
    return WebhookSender(
      WebhookTerms(secrets: secrets), within: limits, rate: PushRate(most: rate),
      through: CurlWebhooks(believing: authorities), journal: journal, now: SystemClock.now)
  }
}

extension ProviderRules.Way {
  fileprivate func sender(
    to provider: any StreamProvider, at host: String, journal: PushJournal?, provesTokens: Bool
  ) -> StreamSender {
    var policy = PoolPolicy()
    policy.connections = connections
    // The jobs keep no more in hand than `push.in_flight` for each part.
    policy.window = 100_000
    policy.queueing = .seconds(10)
    policy.provesTokens = provesTokens
    let requests = journal.map { RequestJournal($0) }
    let pool = ConnectionPool(to: origin(host), policy, observer: requests)
    return StreamSender(
      to: provider, by: pool, rate: PushRate(most: rate), journal: requests, now: SystemClock.now)
  }

  private func origin(_ host: String) -> Origin {
    guard let server, let colon = server.lastIndex(of: ":"),
      let port = UInt16(server[server.index(after: colon)...])
    else { return Origin(host: server ?? host, authorities: authorities) }
    return Origin(host: String(server[..<colon]), port: port, authorities: authorities)
  }
}
