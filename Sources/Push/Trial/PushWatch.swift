internal import Synchronization

/// Keeps what goes over the wire for one push, for an operator who wants to see it.
///
/// It stands between a sender and what the sender uses, so that nothing but what really leaves is seen.
public final class PushWatch: Sendable {
  private let state = Mutex(Exchange())
  private let clock: @Sendable () -> ContinuousClock.Instant

  /// What was asked, and what came back.
  public struct Exchange: Sendable {
    /// The server, as host:port; nothing when nobody was asked.
    public internal(set) var server: String?
    public internal(set) var path = ""

    /// The headers in their order; of what authorizes the request there is the kind alone.
    public internal(set) var headers: [(name: String, value: String)] = []
    public internal(set) var body = ""

    public internal(set) var answer: Answer?

    /// How long it took from the request to its end, the making of a connection included.
    public internal(set) var took: Duration?

    /// What the answer means for the provider; nothing for a webhook, of which it means nothing beyond the push.
    public internal(set) var verdict: Verdict?

    fileprivate var began: ContinuousClock.Instant?
  }

  /// What came back.
  public struct Answer: Sendable {
    public let status: Int
    public let headers: [(name: String, value: String)]
    public let body: [UInt8]
  }

  public init(clock: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }) {
    self.clock = clock
  }

  /// What was seen so far.
  public var exchange: Exchange { state.withLock(\.self) }

  /// A way to a provider, of which it sees what the answers mean.
  public func watching(_ provider: any StreamProvider) -> any StreamProvider {
    WatchedProvider(provider: provider, watch: self)
  }

  /// A way to a server, named as host:port, of which it sees requests and answers.
  public func watching(_ requests: any RequestSending, to server: String) -> any RequestSending {
    WatchedRequests(requests: requests, server: server, watch: self)
  }

  /// A way to webhooks, of which it sees requests and answers.
  public func watching(_ webhooks: any WebhookExchange) -> any WebhookExchange {
    WatchedWebhooks(webhooks: webhooks, watch: self)
  }
}

extension PushWatch {
  func noteRequest(
    to server: String, path: String, headers: [(name: String, value: String)], body: String
  ) {
    let now = clock()
    state.withLock { state in
      (state.server, state.path, state.body, state.began) = (server, path, body, now)
      state.headers = headers.map { ($0.name, Self.shown($0.name, $0.value)) }
    }
  }

  func noteEnd(_ answer: Answer?) {
    let now = clock()
    state.withLock { state in
      state.answer = answer
      state.took = state.began.map { now - $0 }
    }
  }

  func note(_ verdict: Verdict) {
    state.withLock { $0.verdict = verdict }
  }

  /// A header's value, without what others could use.
  private static func shown(_ name: String, _ value: String) -> String {
    switch name {
    case "authorization": "bearer …"
    case "webhook-signature": value.split(separator: " ").map { _ in "v1,…" }.joined(separator: " ")
    default: value
    }
  }
}
