public import LocalTime

/// How pushes are to reach the devices of one project at Google's provider.
public struct GoogleTerms: Sendable, Equatable {
  /// The project, by its identifier.
  public let project: String

  /// Pushes of the same name replace each other on the device.
  public let tag: String

  /// The channel of the app in which they are shown, or nothing for that of its own choice.
  public let channel: String?

  /// Whether Google only looks whether it would take them.
  public var validatesOnly: Bool

  public init(
    project: String, tag: String = "daily", channel: String? = nil, validatesOnly: Bool = false
  ) {
    self.project = project
    self.tag = tag
    self.channel = channel
    self.validatesOnly = validatesOnly
  }
}

extension GoogleTerms {
  /// What Google takes of what a push shows and hands on.
  public static let mostBytes = 4096

  /// What Google's provider is asked for a push at `now`; throws when the push cannot be sent at all.
  public func request(_ push: PushMessage, at now: Instant) throws(Unsendable) -> PushRequest {
    guard now < push.end else { throw .late }
    let life = push.expiresAt - now.secondsSince1970
    guard Self.isToken(push.token.secret) else {
      throw Unsendable(.refused("the token is none of FCM: letters, digits, ':', '-' and '_'"))
    }
    let notification = "{\"title\":\(push.title.inJSON),\"body\":\(push.body.inJSON)}"
    let data = "{\"id\":\(push.id.inJSON),\"link\":\(push.link.inJSON)}"
    let bytes = notification.utf8.count + data.utf8.count
    guard bytes <= Self.mostBytes else { throw .long(bytes, most: Self.mostBytes) }
    let message =
      "{\"token\":\(push.token.secret.inJSON),\"notification\":\(notification),\"data\":\(data)"
      + ",\"android\":\(android(life: min(life, Self.longestLife)))}"
    return PushRequest(
      path: "/v1/projects/\(project)/messages:send",
      headers: [.init("content-type", "application/json")],
      body: "{\"message\":\(message)\(validatesOnly ? ",\"validate_only\":true" : "")}")
  }

  /// Google keeps a push for four weeks at most.
  private static let longestLife = 28 * 86_400

  private func android(life: Int) -> String {
    let channel = channel.map { ",\"channel_id\":\($0.inJSON)" } ?? ""
    return "{\"priority\":\"HIGH\",\"ttl\":\"\(life)s\""
      + ",\"notification\":{\"tag\":\(tag.inJSON)\(channel)}}"
  }

  private static func isToken(_ text: String) -> Bool {
    (1...4096).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        (48...58).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
          || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
      }
  }
}
