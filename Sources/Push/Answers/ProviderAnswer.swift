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

extension String {
  /// The text without what could break a line, no longer than a reason is.
  var forALine: String {
    String(decoding: utf8.prefix(200).map { (0x20..<0x7F).contains($0) ? $0 : 0x3F }, as: UTF8.self)
  }
}
