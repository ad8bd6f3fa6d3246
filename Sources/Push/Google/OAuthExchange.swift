/// A way to Google's server of access tokens.
public protocol OAuthExchange: Sendable {
  /// Posts a form to a URL once, and returns what is answered; throws why nothing is.
  func post(_ form: Secret, to url: String) throws(OAuthFailure) -> ProviderAnswer
}

/// Why there is no access token.
public struct OAuthFailure: Error, Sendable, Equatable, CustomStringConvertible {
  public let description: String

  /// Whether Google refuses the account itself, so that asking again changes nothing.
  public let isFinal: Bool

  public init(_ description: String, isFinal: Bool = false) {
    self.description = description
    self.isFinal = isFinal
  }
}

/// What Google gives for an assertion.
struct AccessGrant: Sendable, Equatable {
  let text: Secret
  let life: Duration

  /// What an answer of the server of access tokens grants.
  init(_ answer: ProviderAnswer) throws(OAuthFailure) {
    let document = answer.document
    guard answer.status == 200 else { throw Self.failure(answer.status, document) }
    guard let text = document?["access_token"]?.text, !text.isEmpty,
      text.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }),
      let seconds = document?["expires_in"]?.integer, seconds > 0
    else { throw OAuthFailure("Google's answer holds no access token") }
    self.text = Secret(text)
    life = .seconds(min(seconds, 86_400))
  }

  /// What an exchange of an assertion is asked with.
  static func form(_ assertion: Secret) -> Secret {
    Secret(
      "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion="
        + (assertion.text ?? ""))
  }

  private static func failure(_ status: Int, _ document: JSONValue?) -> OAuthFailure {
    let words = [document?["error"]?.text, document?["error_description"]?.text]
      .compactMap { $0?.forALine }.joined(separator: ", ")
    let isFinal = (400..<500).contains(status) && status != 408 && status != 429
    return OAuthFailure(
      "Google gives no access token: \(status)" + (words.isEmpty ? "" : " \(words)"),
      isFinal: isFinal)
  }
}
