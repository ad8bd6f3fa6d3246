public import Web

/// What became of a request to a webhook.
public enum WebhookOutcome: Sendable, Equatable {
  case answered(ProviderAnswer)
  case notSent(String)
  case uncertain(String)

  /// When the connection stood it was too late.
  case late
}

/// A way to webhooks: finds the addresses of their names, and posts to one of those alone.
public protocol WebhookExchange: Sendable {
  func addresses(of host: String) -> [NetworkAddress]

  /// Posts a request once, to none but these addresses of its target; asks when the connection stands, and right before
  /// the first byte leaves, whether it may.
  func post(
    _ request: PushRequest, to target: WebhookTarget, at addresses: [NetworkAddress],
    if mayLeave: @escaping @Sendable () -> Bool
  ) -> WebhookOutcome
}

/// The way by libcurl.
public struct CurlWebhooks: WebhookExchange {
  private let limit: Duration
  private let authorities: String?

  /// A request takes `limit` at most; the certificates in `authorities` are believed instead of the machine's.
  public init(within limit: Duration = .seconds(20), believing authorities: String? = nil) {
    (self.limit, self.authorities) = (limit, authorities)
  }

  public func addresses(of host: String) -> [NetworkAddress] {
    if let literal = NetworkAddress(host) { return [literal] }
    return HostAddresses.find(host).compactMap { NetworkAddress(bytes: $0) }
  }

  public func post(
    _ request: PushRequest, to target: WebhookTarget, at addresses: [NetworkAddress],
    if mayLeave: @escaping @Sendable () -> Bool
  ) -> WebhookOutcome {
    let exchange = WebExchange(
      Array(request.body.utf8), to: request.path,
      headers: request.headers.map { ($0.name, $0.value) }, within: limit,
      readingAtMost: ProviderAnswer.longest, believing: authorities, if: mayLeave)
    do throws(WebExchange.Failure) {
      let answer = try exchange.send(
        to: addresses.map(\.inURL), of: target.host, port: target.port)
      return .answered(
        ProviderAnswer(status: answer.status, body: answer.body, retryAfter: answer.retryAfter))
    } catch {
      switch error {
      case .notSent(let reason): return .notSent(reason)
      case .uncertain(let reason): return .uncertain(reason)
      case .kept: return .late
      }
    }
  }
}

extension NetworkAddress {
  fileprivate var inURL: String { bytes.count == 16 ? "[\(self)]" : "\(self)" }
}
