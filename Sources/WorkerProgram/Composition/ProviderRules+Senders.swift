internal import HTTP2
internal import Jobs
internal import LocalTime
internal import Push
internal import Web

/// A push that is sent to see what becomes of it.
struct PushTrial {
  let watch: PushWatch

  /// Whether Google is to do more than to validate it.
  let isDelivered: Bool

  /// What replaces what on a device: a trial replaces no push of a day.
  static let name = "test"
}

extension ProviderRules.Apple {
  static func host(isSandbox: Bool) -> String {
    isSandbox ? "api.sandbox.push.apple.com" : "api.push.apple.com"
  }

  /// What brings pushes to Apple's provider, or to that of sandbox builds of apps.
  func sender(
    isSandbox: Bool, with tokens: AppleTokenSource, journal: PushJournal?,
    on trial: PushTrial? = nil
  ) -> StreamSender {
    let terms = AppleTerms(
      topic: topic, priority: priority, collapseID: trial == nil ? "daily" : PushTrial.name)
    return way.sender(
      to: AppleProvider(terms, tokens: tokens), at: Self.host(isSandbox: isSandbox),
      journal: journal, provesTokens: true,
      on: trial)
  }
}

extension ProviderRules.Google {
  static let host = "fcm.googleapis.com"

  /// What brings pushes to Google's provider.
  func sender(
    of account: ServiceAccount, journal: PushJournal?, on trial: PushTrial? = nil
  ) -> StreamSender {
    let terms = GoogleTerms(
      project: account.project, tag: trial == nil ? "daily" : PushTrial.name, channel: channel,
      validatesOnly: trial.map { !$0.isDelivered } ?? false)
    let tokens = AccessTokenSource(of: account, through: CurlOAuth())
    return way.sender(
      to: GoogleProvider(terms, tokens: tokens), at: Self.host, journal: journal,
      provesTokens: false, on: trial)
  }
}

extension ProviderRules.Webhook {
  /// What brings pushes to webhooks.
  func sender(
    with secrets: WebhookSecrets, journal: PushJournal?, on trial: PushTrial? = nil
  ) -> WebhookSender {
    let limits = WebhookLimits(ports: Set(ports), networks: networks.compactMap { Network($0) })
    let webhooks = CurlWebhooks(believing: authorities)
    return WebhookSender(
      WebhookTerms(secrets: secrets), within: limits, rate: PushRate(most: rate),
      through: trial?.watch.watching(webhooks) ?? webhooks, journal: journal,
      now: SystemClock.now)
  }
}

extension ProviderRules.Way {
  fileprivate func sender(
    to provider: any StreamProvider, at host: String, journal: PushJournal?, provesTokens: Bool,
    on trial: PushTrial?
  ) -> StreamSender {
    var policy = PoolPolicy()
    policy.connections = connections
    // The jobs keep no more in hand than `push.in_flight` for each part.
    policy.window = 100_000
    policy.queueing = .seconds(10)
    policy.provesTokens = provesTokens
    let requests = journal.map { RequestJournal($0) }
    let origin = origin(host)
    let pool = ConnectionPool(to: origin, policy, observer: requests)
    let server = "\(origin.host):\(origin.port)"
    return StreamSender(
      to: trial?.watch.watching(provider) ?? provider,
      by: trial?.watch.watching(pool, to: server) ?? pool, rate: PushRate(most: rate),
      journal: requests, now: SystemClock.now)
  }

  /// The server that is asked in the place of the provider, or the provider's.
  func origin(_ host: String) -> Origin {
    guard let server, let colon = server.lastIndex(of: ":"),
      let port = UInt16(server[server.index(after: colon)...])
    else { return Origin(host: server ?? host, authorities: authorities) }
    return Origin(host: String(server[..<colon]), port: port, authorities: authorities)
  }
}
