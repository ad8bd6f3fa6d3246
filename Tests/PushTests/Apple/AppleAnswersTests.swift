import LocalTime
import Push
import Testing

@Suite("What Apple means by its answers")
struct AppleAnswersTests {
  private let now = Instant(secondsSince1970: 1_773_000_000)

  private func verdict(
    _ status: Int, _ body: String = "", retryAfter: String? = nil, registeredAt: Instant? = nil
  ) -> Verdict {
    let push = PushMessage(
      id: "7/2026-03-08", token: PushToken("a1b2"), title: "", body: "", link: "",
      expiresAt: now.secondsSince1970 + 60, registeredAt: registeredAt)
    return AppleAnswers.verdict(
      ProviderAnswer(status: status, body: Array(body.utf8), retryAfter: retryAfter), to: push,
      at: now)
  }

  private func reason(_ reason: String) -> String { "{\"reason\":\"\(reason)\"}" }

  @Test func `200 is a push that was taken, under its name where there is one`() {
    let push = PushMessage(
      id: "7", token: PushToken("a1b2"), title: "", body: "", link: "", expiresAt: 0)
    let named = ProviderAnswer(status: 200, name: "c6cfe1af")

    #expect(verdict(200) == Verdict(delivery: .sent))
    #expect(
      AppleAnswers.verdict(named, to: push, at: now) == Verdict(delivery: .accepted(as: "c6cfe1af"))
    )
  }

  @Test func `a name that no database takes is written down without what it cannot take`() {
    let push = PushMessage(
      id: "7", token: PushToken("a1b2"), title: "", body: "", link: "", expiresAt: 0)

    #expect(
      AppleAnswers.verdict(ProviderAnswer(status: 200, name: "c6\0cf"), to: push, at: now)
        == Verdict(delivery: .accepted(as: "c6?cf")))
  }

  @Test(arguments: ["BadDeviceToken", "DeviceTokenNotForTopic"])
  func `400 for a token that is none of the app's invalidates the device`(word: String) {
    #expect(verdict(400, reason(word)) == Verdict(delivery: .refused(word), health: .failing))
  }

  @Test(arguments: [
    "BadCollapseId", "BadExpirationDate", "BadMessageId", "BadPriority", "BadTopic",
    "DuplicateHeaders", "InvalidPushType", "MissingDeviceToken", "MissingTopic", "PayloadEmpty",
    "TopicDisallowed",
  ])
  func `400 for what we ask wrong sends no more, and loses no push`(word: String) {
    let words = "the request is wrong: \(word)"
    #expect(
      verdict(400, reason(word)) == Verdict(delivery: .notSent(words), health: .closed(words)))
  }

  @Test func `400 for a connection that was idle ends it, and the push is tried again`() {
    #expect(
      verdict(400, reason("IdleTimeout"))
        == Verdict(delivery: .notSent("IdleTimeout"), connections: .renew))
  }

  @Test func `403 for an old token has a new one minted, and the push is tried with it`() {
    #expect(
      verdict(403, reason("ExpiredProviderToken"))
        == Verdict(
          delivery: .notSent("ExpiredProviderToken", wait: .seconds(5)),
          token: .renew, connections: .renew))
  }

  @Test(arguments: [
    "BadCertificate", "BadCertificateEnvironment", "BadEnvironmentKeyIdInToken", "Forbidden",
    "InvalidProviderToken", "MissingProviderToken", "UnrelatedKeyIdInToken",
  ])
  func `403 for the key sends no more, loses no push, and ends all connections`(word: String) {
    let words = "the key or the team is refused: \(word)"
    #expect(
      verdict(403, reason(word))
        == Verdict(
          delivery: .notSent(words), health: .closed(words), connections: .renew))
  }

  @Test(arguments: [(404, "BadPath"), (405, "MethodNotAllowed")])
  func `404 and 405 are our own mistakes: nothing more is sent`(status: Int, word: String) {
    let words = "the request is wrong: \(word)"
    #expect(
      verdict(status, reason(word)) == Verdict(delivery: .notSent(words), health: .closed(words)))
  }

  @Test(
    arguments: [
      (nil, true), (-1000, true), (0, true), (1, false), (1000, false),
    ] as [(Int?, Bool)])
  func `410 is a dead device, unless the app has registered it anew since then`(
    milliseconds: Int?, isGone: Bool
  ) {
    let since = Instant(secondsSince1970: 1_772_999_000)
    let registeredAt = milliseconds.map { since + .milliseconds($0) }
    let body = "{\"reason\":\"Unregistered\",\"timestamp\":1772999000000}"

    #expect(
      verdict(410, body, registeredAt: registeredAt)
        == Verdict(
          delivery: isGone
            ? .refused("Unregistered since 2026-03-08T19:43:20Z")
            : .rejected(
              "Unregistered since 2026-03-08T19:43:20Z, before the device was registered")))
  }

  @Test(arguments: ["", "{\"reason\":\"ExpiredToken\"}", "{\"timestamp\":\"then\"}"])
  func `410 that does not say since when leaves the device alone`(body: String) {
    let word = body.contains("Expired") ? "ExpiredToken" : "gone"
    #expect(
      verdict(410, body)
        == Verdict(delivery: .rejected("\(word), and not since when"), health: .failing))
  }

  @Test func `413 is a push that is too long for any device`() {
    #expect(
      verdict(413, reason("PayloadTooLarge"))
        == Verdict(delivery: .rejected("PayloadTooLarge"), health: .failing))
  }

  @Test(arguments: [(nil, 60), ("5", 60), ("120", 120), ("9999", 3600)] as [(String?, Int)])
  func `429 halves the rate, and the push waits a minute or as long as Apple says`(
    retryAfter: String?, seconds: Int
  ) {
    #expect(
      verdict(429, reason("TooManyRequests"), retryAfter: retryAfter)
        == Verdict(
          delivery: .notSent("TooManyRequests", wait: .seconds(seconds)), rate: .halve))
    #expect(
      verdict(429, retryAfter: retryAfter)
        == Verdict(delivery: .notSent("429", wait: .seconds(seconds)), rate: .halve))
  }

  @Test func `429 for too many tokens keeps the token, and mints none`() {
    #expect(
      verdict(429, reason("TooManyProviderTokenUpdates"))
        == Verdict(
          delivery: .notSent("TooManyProviderTokenUpdates", wait: .seconds(60)),
          token: .freeze, connections: .renew))
  }

  @Test(arguments: [(nil, 900), ("30", 30)] as [(String?, Int)])
  func `500 is tried again after a quarter of an hour, or when Apple says`(
    retryAfter: String?, seconds: Int
  ) {
    #expect(
      verdict(500, reason("InternalServerError"), retryAfter: retryAfter)
        == Verdict(
          delivery: .notSent("InternalServerError", wait: .seconds(seconds)), health: .failing))
  }

  @Test(
    arguments: ["ServiceUnavailable", "Shutdown"], [(nil, 900), ("30", 30)] as [(String?, Int)])
  func `503 does the same, halves the rate and asks another connection`(
    word: String, after: (retryAfter: String?, seconds: Int)
  ) {
    #expect(
      verdict(503, reason(word), retryAfter: after.retryAfter)
        == Verdict(
          delivery: .notSent(word, wait: .seconds(after.seconds)), health: .failing, rate: .halve,
          connections: .renew))
  }

  @Test(arguments: [
    (400, "{\"reason\":\"NewReason\"}", "400: NewReason"), (400, "", "400"),
    (403, "{\"reason\":\"NewReason\"}", "403: NewReason"), (418, "", "418"), (502, "<html>", "502"),
    (201, "", "201"), (302, "{\"reason\":\"a\\nb\"}", "302: a?b"),
  ])
  func `an answer that nobody knows is a refusal, and is counted`(
    status: Int, body: String, words: String
  ) {
    #expect(
      verdict(status, body)
        == Verdict(delivery: .rejected("unknown answer: \(words)"), health: .unknown))
  }

  @Test(arguments: ["{\"reason\":", "<html>", String(repeating: " ", count: 16_384) + "{}"])
  func `where the body cannot be read, the status decides`(body: String) {
    #expect(verdict(200, body) == Verdict(delivery: .sent))
    #expect(verdict(500, body).delivery == .notSent("500", wait: .seconds(900)))
    #expect(verdict(503, body).delivery == .notSent("503", wait: .seconds(900)))
    #expect(verdict(413, body).delivery == .rejected("too long"))
    #expect(verdict(403, body).health == .closed("the key or the team is refused"))
    #expect(verdict(404, body).health == .closed("the request is wrong"))
  }
}
