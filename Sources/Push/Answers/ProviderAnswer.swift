/// What a provider answered to a push.
public struct ProviderAnswer: Sendable, Equatable {
  public let status: Int

  /// What followed, as far as it was read; what is longer than ``longest`` says nothing.
  public let body: [UInt8]

  /// The header `retry-after`.
  public let retryAfter: String?

  /// What the provider calls the push, in a header.
  public let name: String?

  public init(
    status: Int, body: [UInt8] = [], retryAfter: String? = nil, name: String? = nil
  ) {
    self.status = status
    self.body = body
    self.retryAfter = retryAfter
    self.name = name
  }

  /// As many bytes of a body are read.
  public static let longest = 16_384

  /// The document that the body is, or nothing.
  var document: JSONValue? {
    body.count <= Self.longest ? JSONValue(body) : nil
  }
}
