public import LocalTime

/// A service account of Google: who asks for access tokens, and the key with which it proves that.
public struct ServiceAccount: Sendable {
  /// The project to whose apps it may push.
  public let project: String

  /// Where access tokens are asked for.
  public let tokenURL: String

  private let email: String
  private let keyID: String
  private let key: SigningKey

  /// What Google's file of an account says.
  public init(_ file: Secret) throws(ServiceAccountError) {
    guard let document = JSONValue(file.bytes) else { throw .noDocument }
    guard document["type"]?.text == "service_account" else { throw .noAccount }
    project = try Self.member("project_id", of: document)
    email = try Self.member("client_email", of: document)
    keyID = try Self.member("private_key_id", of: document)
    tokenURL = try Self.member("token_uri", of: document)
    let pem = try Self.member("private_key", of: document)
    guard Self.isSafe(tokenURL) else { throw .openURL(tokenURL) }
    guard project.utf8.allSatisfy(Self.isOfAName) else { throw .noProject(project) }
    do throws(SigningKeyError) { key = try SigningKey(pem: Secret(pem), for: .rs256) } catch {
      throw .key(error)
    }
  }

  /// What Google changes for an access token to its messaging: a statement of this account, signed at `now`.
  public func assertion(at now: Instant) throws(SigningKeyError) -> Secret {
    let second = now.secondsSince1970
    return Secret(
      try WebToken.text(
        header: "{\"alg\":\"RS256\",\"typ\":\"JWT\",\"kid\":\(keyID.inJSON)}",
        claims: "{\"iss\":\(email.inJSON),\"scope\":\"\(Self.scope)\",\"aud\":\(tokenURL.inJSON)"
          + ",\"iat\":\(second),\"exp\":\(second + 3600)}", signedWith: key))
  }

  private static let scope = "https://www.googleapis.com/auth/firebase.messaging"

  private static func member(
    _ name: String, of document: JSONValue
  ) throws(ServiceAccountError) -> String {
    guard let text = document[name]?.text, !text.isEmpty else { throw .lacks(name) }
    return text
  }

  /// Whether nobody between here and there reads what is sent to it.
  private static func isSafe(_ url: String) -> Bool {
    url.hasPrefix("https://")
      || ["http://127.0.0.1", "http://[::1]"].contains { loopback in
        url.hasPrefix(loopback + "/") || url.hasPrefix(loopback + ":")
      }
  }

  private static func isOfAName(_ byte: UInt8) -> Bool {
    Character(Unicode.Scalar(byte)).isASCII
      && (Character(Unicode.Scalar(byte)).isLetter || (48...58).contains(byte)
        || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "."))
  }
}

/// Why a file is no service account; never says what stands in it, but for what is no secret.
public enum ServiceAccountError: Error, Sendable, Equatable {
  case noDocument
  case noAccount
  case lacks(String)
  case openURL(String)
  case noProject(String)
  case key(SigningKeyError)
}

extension ServiceAccountError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noDocument:
      "it is no JSON document: give Google's file of a service account as it was downloaded"
    case .noAccount:
      "it is no service account: make a key of one in the console, under Service accounts"
    case .lacks(let name): "the service account lacks '\(name)': download its file again"
    case .openURL(let url):
      "its token_uri '\(url.forALine)' is not reached by https, and its signature must not be seen"
    case .noProject(let project): "its project_id '\(project.forALine)' is no name of a project"
    case .key(let error): error.description
    }
  }
}
