public import LocalTime

/// One push to one device, ready to be sent.
public struct PushMessage: Sendable, Equatable {
  /// Always the same for one learner and day, so that a log, the database and a provider speak of one thing.
  public let id: String
  public let provider: PushProvider

  /// Whether the device has a sandbox build of the app and not one from a shop: such have a provider of their own.
  public let isSandbox: Bool

  public let token: PushToken
  public let title: String
  public let body: String

  /// Where a tap leads, such as `app://session/warmup`.
  public let link: String

  /// After this second since 1970 a provider must not deliver it any more: quiet hours begin.
  public let expiresAt: Int

  /// When the app registered the device last: what a provider says of it from before then counts no more.
  public let registeredAt: Instant?

  /// The minute that was chosen for it, where it has one: how late it leaves is counted from then.
  public var dueAt: Instant?

  /// Before when it must leave, where its window ends or its quiet hours begin.
  public var leavesBefore: Instant?

  /// Who has claimed it, and for the how manyth time: tells one try from another in a journal.
  public var claim: String = ""

  public init(
    id: String, provider: PushProvider = .apns, isSandbox: Bool = false, token: PushToken,
    title: String, body: String, link: String, expiresAt: Int, registeredAt: Instant? = nil
  ) {
    self.id = id
    self.provider = provider
    self.isSandbox = isSandbox
    self.token = token
    self.title = title
    self.body = body
    self.link = link
    self.expiresAt = expiresAt
    self.registeredAt = registeredAt
  }
}

extension PushMessage {
  /// The moment from which on it may not leave, wherever that is asked: a little before its window ends, its quiet hours
  /// begin or it expires, as a process may stand still between the last look at the clock and the write.
  public var end: Instant {
    let expiry = Instant(secondsSince1970: expiresAt)
    return min(leavesBefore ?? expiry, expiry) - .seconds(5)
  }
}

/// Who brings pushes to devices.
public enum PushProvider: String, Sendable {
  case apns
  case fcm
  case webhook

  /// Each of them, in the order in which they are shown.
  public static let all = [PushProvider.apns, .fcm, .webhook]
}

/// The address of a device at its provider: whoever has it can send to the device, so it prints as its
/// beginning only.
public struct PushToken: Sendable, Hashable {
  /// The whole token, for the provider alone.
  public let secret: String

  public init(_ secret: String) {
    self.secret = secret
  }
}

extension PushToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { secret.prefix(secret.count > 12 ? 6 : 0) + "…" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension PushToken {
  /// What the token is called where it may not be shown: the first 12 digits of its SHA-256.
  public var digest: String {
    guard let hash = try? Digest.sha256(secret) else { return "…" }
    return Digest.hex(hash.prefix(6))
  }

  /// A text without the token.
  public func hidden(in text: String) -> String {
    secret.isEmpty ? text : text.replacing(secret, with: "«\(digest)»")
  }
}
