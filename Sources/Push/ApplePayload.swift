/// What Apple's provider is given to show: JSON, of which it takes 4096 bytes and no more.
public struct ApplePayload: Sendable {
  /// The document, on one line.
  public let text: String

  public static let mostBytes = 4096

  public init(title: String, body: String, link: String, id: String) {
    let alert = "{\"title\":\(title.inJSON),\"body\":\(body.inJSON)}"
    text =
      "{\"aps\":{\"alert\":\(alert),\"sound\":\"default\"}"
      + ",\"id\":\(id.inJSON),\"link\":\(link.inJSON)}"
  }
}

extension String {
  fileprivate var inJSON: String {
    "\"" + unicodeScalars.map(\.inJSON).joined() + "\""
  }
}

extension Unicode.Scalar {
  fileprivate var inJSON: String {
    switch self {
    case "\"": "\\\""
    case "\\": "\\\\"
    case "\u{0}"..."\u{1f}":
      "\\u" + String(repeating: "0", count: value < 16 ? 3 : 2) + String(value, radix: 16)
    default: String(self)
    }
  }
}
