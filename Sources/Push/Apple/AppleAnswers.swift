public import LocalTime

/// What Apple's provider means by its answers.
public enum AppleAnswers {
  /// What an answer at `now` means for a push, and for those after it.
  public static func verdict(
    _ answer: ProviderAnswer, to push: PushMessage, at now: Instant
  ) -> Verdict {
    let document = answer.document
    let reason = document?["reason"]?.text?.forALine
    let wait = RetryAfter.wait(answer.retryAfter, at: now)
    switch (answer.status, reason) {
    case (200, _):
      return Verdict(delivery: answer.name.map { .accepted(as: $0.forALine) } ?? .sent)
    case (400, let reason?): return badRequest(reason)
    case (403, _): return forbidden(reason)
    case (404, _), (405, _): return .closed(words("the request is wrong", reason))
    case (410, _): return gone(reason ?? "gone", document?["timestamp"]?.integer, push)
    case (413, _): return Verdict(delivery: .rejected(reason ?? "too long"), health: .failing)
    case (429, _): return tooMany(reason, wait: wait)
    case (500, _):
      return Verdict(
        delivery: .notSent(reason ?? "500", wait: wait ?? usualOutage), health: .failing)
    case (503, _):
      return Verdict(
        delivery: .notSent(reason ?? "503", wait: wait ?? usualOutage), health: .failing,
        rate: .halve, connections: .renew)
    default: return .unknown(words("\(answer.status)", reason))
    }
  }

  /// The word by which an answer is counted.
  static func word(_ answer: ProviderAnswer) -> AnswerWord {
    guard answer.status != 200 else { return .accepted }
    let reason = answer.document?["reason"]?.text
    return reason.map { AnswerWord($0) } ?? AnswerWord(status: answer.status)
  }

  /// Apple asks for a quarter of an hour where it fails itself.
  private static let usualOutage = Duration.seconds(15 * 60)

  private static func badRequest(_ reason: String) -> Verdict {
    switch reason {
    case "BadDeviceToken", "DeviceTokenNotForTopic":
      Verdict(delivery: .refused(reason), health: .failing)
    case "IdleTimeout": Verdict(delivery: .notSent(reason), connections: .renew)
    case "BadCollapseId", "BadExpirationDate", "BadMessageId", "BadPriority", "BadTopic",
      "DuplicateHeaders", "InvalidPushType", "MissingDeviceToken", "MissingTopic", "PayloadEmpty",
      "TopicDisallowed":
      .closed(words("the request is wrong", reason))
    default: .unknown(words("400", reason))
    }
  }

  private static func forbidden(_ reason: String?) -> Verdict {
    switch reason {
    case "ExpiredProviderToken":
      Verdict(
        delivery: .notSent("ExpiredProviderToken", wait: .seconds(5)),
        token: .renew, connections: .renew)
    case nil, "BadCertificate", "BadCertificateEnvironment", "BadEnvironmentKeyIdInToken",
      "Forbidden", "InvalidProviderToken", "MissingProviderToken", "UnrelatedKeyIdInToken":
      .closed(words("the key or the team is refused", reason), connections: .renew)
    case .some(let reason): .unknown(words("403", reason))
    }
  }

  /// A device is gone unless its app has registered it anew since: then nothing is known of it.
  private static func gone(
    _ reason: String, _ milliseconds: Int?, _ push: PushMessage
  ) -> Verdict {
    guard let milliseconds, milliseconds > 0, milliseconds < 1 << 50 else {
      return Verdict(delivery: .rejected("\(reason), and not since when"), health: .failing)
    }
    let since = Instant(microseconds: Int64(milliseconds) * 1000)
    if let registeredAt = push.registeredAt, since < registeredAt {
      return Verdict(
        delivery: .rejected("\(reason) since \(since), before the device was registered"))
    }
    return Verdict(delivery: .refused("\(reason) since \(since)"))
  }

  private static func tooMany(_ reason: String?, wait: Duration?) -> Verdict {
    let delivery = Delivery.notSent(reason ?? "429", wait: max(wait ?? .zero, .seconds(60)))
    guard reason == "TooManyProviderTokenUpdates" else {
      return Verdict(delivery: delivery, rate: .halve)
    }
    return Verdict(delivery: delivery, token: .freeze, connections: .renew)
  }

  private static func words(_ what: String, _ reason: String?) -> String {
    reason.map { "\(what): \($0)" } ?? what
  }
}
