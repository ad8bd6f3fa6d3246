internal import Web

/// The way to Google's server of access tokens by libcurl.
public struct CurlOAuth: OAuthExchange {
  private let limit: Duration

  public init(within limit: Duration = .seconds(20)) {
    self.limit = limit
  }

  public func post(_ form: Secret, to url: String) throws(OAuthFailure) -> ProviderAnswer {
    let exchange = WebExchange(
      form.bytes, to: url, headers: [("Content-Type", "application/x-www-form-urlencoded")],
      within: limit, readingAtMost: ProviderAnswer.longest)
    do throws(WebExchange.Failure) {
      let answer = try exchange.send()
      return ProviderAnswer(
        status: answer.status, body: answer.body, retryAfter: answer.retryAfter)
    } catch {
      switch error {
      case .notSent(let reason), .uncertain(let reason):
        throw OAuthFailure("Google gives no access token: \(reason)")
      case .kept: throw OAuthFailure("Google gives no access token: it was not asked")
      }
    }
  }
}
