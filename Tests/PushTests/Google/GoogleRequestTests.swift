import LocalTime
import Push
import Testing

@Suite("What Google is asked")
struct GoogleRequestTests {
  private let now = Instant(secondsSince1970: 1_773_000_000)
  private let terms = GoogleTerms(project: "learning-app")

  private func push(
    token: String = "dXY:APA91b-_Z", title: String = "Day \"5\"", body: String = "오늘의 문장",
    lasting seconds: Int = 3600
  ) -> PushMessage {
    PushMessage(
      id: "7/2026-03-08", provider: .fcm, token: PushToken(token), title: title, body: body,
      link: "app://session/warmup", expiresAt: now.secondsSince1970 + seconds)
  }

  private func refusal(_ push: PushMessage) -> Delivery? {
    do throws(Unsendable) {
      _ = try terms.request(push, at: now)
      return nil
    } catch {
      return error.delivery
    }
  }

  @Test func `a push has its project, its device, its end and what replaces it`() throws {
    let request = try terms.request(push(), at: now)

    #expect(request.path == "/v1/projects/learning-app/messages:send")
    #expect(request.headers.map { "\($0.name): \($0.value)" } == ["content-type: application/json"])
    #expect(
      request.body
        == #"{"message":{"token":"dXY:APA91b-_Z","notification":{"title":"Day \"5\"","body":"오늘의 문장"}"#
        + #","data":{"id":"7/2026-03-08","link":"app://session/warmup"},"android":{"priority":"HIGH""#
        + #","ttl":"3600s","notification":{"tag":"daily"}}}}"#)
  }

  @Test func `it can have a channel, and be only looked at`() throws {
    let terms = GoogleTerms(
      project: "learning-app", tag: "today", channel: "reminders", validatesOnly: true)

    let body = try terms.request(push(), at: now).body

    #expect(
      body.hasSuffix(
        #""notification":{"tag":"today","channel_id":"reminders"}}},"validate_only":true}"#))
  }

  @Test func `it lives until quiet hours and four weeks at most, and never leaves after them`()
    throws
  {
    let lives = try [10, 3600, 30 * 86_400].map { seconds in
      try terms.request(push(lasting: seconds), at: now).body.contains("\"ttl\":\"\(seconds)s\"")
    }

    #expect(lives == [true, true, false])
    #expect(
      try terms.request(push(lasting: 30 * 86_400), at: now).body.contains("\"ttl\":\"2419200s\""))
    #expect(refusal(push(lasting: 5)) == .notSent("it expires before it can leave"))
  }

  @Test(arguments: ["", "a b", "a\nb", "a/b", "ä"])
  func `a device whose token Google cannot have given is gone`(token: String) {
    #expect(
      refusal(push(token: token))
        == .refused("the token is none of FCM: letters, digits, ':', '-' and '_'"))
  }

  @Test func `texts and data of more than 4096 bytes never leave`() throws {
    let fixed = #"{"title":"","body":""}{"id":"7/2026-03-08","link":"app://session/warmup"}"#.utf8
      .count
    let most = String(repeating: "x", count: 4096 - fixed)

    #expect(throws: Never.self) { try terms.request(push(title: "", body: most), at: now) }
    #expect(
      refusal(push(title: "x", body: most))
        == .rejected("its payload has 4097 bytes, and the provider takes 4096"))
  }
}
