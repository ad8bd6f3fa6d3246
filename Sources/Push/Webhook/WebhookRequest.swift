public import LocalTime

/// How pushes are to reach webhooks.
public struct WebhookTerms: Sendable {
  private let secrets: WebhookSecrets

  public init(secrets: WebhookSecrets) {
    self.secrets = secrets
  }

  /// What a webhook is asked for a push at `now`, as Standard Webhooks has it; throws when it cannot be sent at all.
  ///
  /// Its identifier is the same however often it is sent, its moment and signature are those of this time.
  public func request(_ push: PushMessage, at now: Instant) throws(Unsendable) -> PushRequest {
    guard now < push.end else { throw .late }
    let second = now.secondsSince1970
    let body = Self.body(of: push, at: Instant(secondsSince1970: second))
    guard body.utf8.count <= Self.mostBytes else {
      throw .long(body.utf8.count, most: Self.mostBytes)
    }
    let (id, signature) = (try push.uuid, try signature(of: body, id: push.uuid, second: second))
    return PushRequest(
      path: push.token.secret,
      headers: [
        .init("content-type", "application/json"), .init("webhook-id", id, isUnique: true),
        .init("webhook-timestamp", "\(second)"),
        .init("webhook-signature", signature, isUnique: true),
      ], body: body)
  }

  /// What a webhook is sent at most.
  public static let mostBytes = 4096

  private static func body(of push: PushMessage, at now: Instant) -> String {
    let expiry = Instant(secondsSince1970: push.expiresAt)
    let data =
      "{\"id\":\(push.id.inJSON),\"title\":\(push.title.inJSON),\"body\":\(push.body.inJSON)"
      + ",\"link\":\(push.link.inJSON),\"expires_at\":\"\(expiry)\"}"
    return "{\"type\":\"push.daily\",\"timestamp\":\"\(now)\",\"data\":\(data)}"
  }

  private func signature(
    of body: String, id: String, second: Int
  ) throws(Unsendable) -> String {
    do throws(SigningKeyError) {
      return try secrets.signature(of: body, id: id, second: second)
    } catch {
      throw Unsendable(.notSent(error.description))
    }
  }
}
