/// The secrets by which receivers know that a webhook is ours, as Standard Webhooks has them.
///
/// While one replaces another there are two of them, and what is sent has a signature by each.
public struct WebhookSecrets: Sendable {
  private let keys: [Secret]

  /// The secrets of a file, one a line: `whsec_` and 24 to 64 bytes in base64; the first is the new one.
  public init(_ file: Secret) throws(WebhookSecretError) {
    guard let text = file.text else { throw .noText }
    var keys: [Secret] = []
    for (number, line) in text.split(whereSeparator: \.isNewline).enumerated() {
      guard let key = Self.key(line) else { throw .noSecret(line: number + 1) }
      keys.append(key)
    }
    guard (1...2).contains(keys.count) else { throw .number(keys.count) }
    self.keys = keys
  }

  /// The header `webhook-signature` of what is sent under `id` at a second since 1970: a signature by each.
  public func signature(
    of body: String, id: String, second: Int
  ) throws(SigningKeyError) -> String {
    guard Libcrypto.isThere else { throw .noLibrary }
    var signatures: [String] = []
    for key in keys {
      let signed = Array("\(id).\(second).\(body)".utf8)
      guard let hash = Libcrypto.hmac(signed, with: key.bytes) else { throw .failed }
      signatures.append("v1," + Base64.text(hash))
    }
    return signatures.joined(separator: " ")
  }

  private static func key(_ line: some StringProtocol) -> Secret? {
    guard line.hasPrefix("whsec_"), let bytes = Base64.bytes(line.dropFirst(6)),
      (24...64).contains(bytes.count)
    else { return nil }
    return Secret(bytes)
  }
}

/// Why a file holds no secrets of webhooks; never says what stands in it.
public enum WebhookSecretError: Error, Sendable, Equatable {
  case noText
  case noSecret(line: Int)
  case number(Int)
}

extension WebhookSecretError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noText: "it is not text"
    case .noSecret(let line):
      "its line \(line) is no secret: write whsec_ and 24 to 64 bytes in base64, as "
        + "'echo whsec_$(openssl rand -base64 32)' makes them"
    case .number(let count):
      "it holds \(count) secrets: write one, or two while the first replaces the second"
    }
  }
}
