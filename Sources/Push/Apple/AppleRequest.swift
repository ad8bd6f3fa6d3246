public import LocalTime

/// How pushes are to reach the devices of one app at Apple's provider.
public struct AppleTerms: Sendable, Equatable {
  /// The app, by its bundle identifier.
  public let topic: String

  /// 10 for at once, 5 for when it suits the device's battery.
  public let priority: Int

  /// Pushes of the same name replace each other on the device.
  public let collapseID: String

  /// How long Apple keeps a push for a device that is off, unless it expires before.
  public let longestStorage: Duration

  public init(
    topic: String, priority: Int = 5, collapseID: String = "daily",
    longestStorage: Duration = .seconds(6 * 3600)
  ) {
    self.topic = topic
    self.priority = priority
    self.collapseID = collapseID
    self.longestStorage = longestStorage
  }
}

extension AppleTerms {
  /// What Apple's provider is asked for a push at `now`; throws when the push cannot be sent at all.
  public func request(_ push: PushMessage, at now: Instant) throws(Unsendable) -> PushRequest {
    guard now < push.end else { throw .late }
    guard Self.isToken(push.token.secret) else {
      throw Unsendable(.refused("the token is none of APNs: an even number of hexadecimal digits"))
    }
    let payload = ApplePayload(
      title: push.title, body: push.body, link: push.link, id: push.id)
    guard payload.text.utf8.count <= ApplePayload.mostBytes else {
      throw .long(payload.text.utf8.count, most: ApplePayload.mostBytes)
    }
    let end = min(push.expiresAt, (now + longestStorage).secondsSince1970)
    return PushRequest(
      path: "/3/device/\(push.token.secret)",
      headers: [
        .init("apns-topic", topic), .init("apns-push-type", "alert"),
        .init("apns-priority", "\(priority)"), .init("apns-collapse-id", collapseID),
        .init("apns-expiration", "\(end)", isUnique: true),
        .init("apns-id", try push.uuid, isUnique: true),
      ], body: payload.text)
  }

  /// Whether Apple could have given out such a token; their length is not to be relied upon.
  private static func isToken(_ text: String) -> Bool {
    (2...512).contains(text.utf8.count) && text.utf8.count % 2 == 0
      && text.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
  }
}

extension PushMessage {
  /// The name of the push that providers take: the same for one learner and day, on whatever host.
  var uuid: String {
    get throws(Unsendable) {
      do throws(SigningKeyError) { return try Digest.uuid("worker push \(id)") } catch {
        throw Unsendable(.notSent(error.description))
      }
    }
  }
}

extension Unsendable {
  static let late = Unsendable(.notSent("it expires before it can leave"))

  static func long(_ bytes: Int, most: Int) -> Unsendable {
    Unsendable(.rejected("its payload has \(bytes) bytes, and the provider takes \(most)"))
  }
}
