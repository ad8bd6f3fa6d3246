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
