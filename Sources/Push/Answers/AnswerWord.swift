/// The word by which the end of a push is counted: one of a closed list.
///
/// What a server writes is not bounded by anything else, and each new word would be one more series of a metric for
/// as long as Prometheus remembers.
public struct AnswerWord: Sendable, Hashable {
  public let text: String

  private init(known text: String) {
    self.text = text
  }

  /// The word itself where the list has it, else `other`.
  init(_ text: String) {
    self.text = Self.all.contains(text) ? text : Self.other.text
  }

  /// The word for a status that says no more: its number where the list has it, else its hundred, as in `4xx`.
  init(status: Int) {
    let number = "\(status)"
    self.init(Self.all.contains(number) ? number : "\(status / 100)xx")
  }

  /// The provider has taken the push.
  public static let accepted = AnswerWord(known: "accepted")

  /// The breaker kept it, or the rate of the provider.
  public static let breaker = AnswerWord(known: "breaker")
  public static let rate = AnswerWord(known: "rate")

  /// It would have ended before it could leave.
  static let late = AnswerWord(known: "late")

  /// It was too long, its device's token or URL could be none, or there was no token to send it with.
  static let tooLong = AnswerWord(known: "too_long")
  static let badToken = AnswerWord(known: "bad_token")
  static let noToken = AnswerWord(known: "no_token")

  /// A webhook was not reached, or did not answer.
  static let notConnected = AnswerWord(known: "connect_failed")
  static let noAnswer = AnswerWord(known: "no_answer")

  public static let other = AnswerWord(known: "other")
}

extension AnswerWord: CustomStringConvertible {
  public var description: String { text }
}

extension AnswerWord {
  /// Every word that there is.
  public static let all = Set(ours + connections + statuses + apple + google)

  private static let ours = [
    "accepted", "breaker", "rate", "late", "too_long", "bad_token", "no_token", "connect_failed",
    "no_answer", "other",
  ]

  /// Ends that HTTP/2 tells of; the words behind the first underscore are those of `ConnectFailure` and `Closing`.
  private static let connections =
    [
      "library", "tls", "dns", "connect", "alpn", "timeout", "settings", "stopped",
    ].map { "connect_\($0)" }
    + [
      "goaway", "ended", "reset", "timeout", "protocol", "used_up", "idle", "drained",
    ].map { "connection_\($0)" }
    + ["stream_refused", "no_stream", "window_full", "draining", "unusable", "timeout", "reset"]

  private static let statuses =
    [400, 401, 403, 404, 405, 408, 410, 413, 425, 429, 500, 502, 503, 504].map { "\($0)" }
    + ["1xx", "2xx", "3xx", "4xx", "5xx"]

  private static let apple = [
    "BadCertificate", "BadCertificateEnvironment", "BadCollapseId", "BadDeviceToken",
    "BadEnvironmentKeyIdInToken", "BadExpirationDate", "BadMessageId", "BadPath", "BadPriority",
    "BadTopic", "DeviceTokenNotForTopic", "DuplicateHeaders", "ExpiredProviderToken",
    "ExpiredToken", "Forbidden", "IdleTimeout", "InternalServerError", "InvalidProviderToken",
    "InvalidPushType", "MethodNotAllowed", "MissingDeviceToken", "MissingProviderToken",
    "MissingTopic", "PayloadEmpty", "PayloadTooLarge", "ServiceUnavailable", "Shutdown",
    "TooManyProviderTokenUpdates", "TooManyRequests", "TopicDisallowed", "UnrelatedKeyIdInToken",
    "Unregistered",
  ]

  private static let google = [
    "INTERNAL", "INVALID_ARGUMENT", "NOT_FOUND", "PERMISSION_DENIED", "QUOTA_EXCEEDED",
    "RESOURCE_EXHAUSTED", "SENDER_ID_MISMATCH", "THIRD_PARTY_AUTH_ERROR", "UNAUTHENTICATED",
    "UNAVAILABLE", "UNREGISTERED", "UNSPECIFIED_ERROR",
  ]
}
