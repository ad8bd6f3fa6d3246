import LocalTime
import Push
import Testing

@Suite("What a webhook is asked")
struct WebhookRequestTests {
  private let now = Instant(microseconds: 1_773_000_000_250_000)

  private func terms() throws -> WebhookTerms {
    WebhookTerms(secrets: try WebhookSecrets(Secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")))
  }

  private func push(body: String = "b", lasting seconds: Int = 3600) -> PushMessage {
    PushMessage(
      id: "7/2026-03-08", provider: .webhook, token: PushToken("https://example.org/push"),
      title: "Day 5", body: body, link: "app://session/warmup",
      expiresAt: now.secondsSince1970 + seconds)
  }

  @Test func `a push is a document of its kind, its moment and what it shows, signed`() throws {
    let request = try terms().request(push(), at: now)

    #expect(
      request.body
        == #"{"type":"push.daily","timestamp":"2026-03-08T20:00:00Z","data":{"id":"7/2026-03-08","#
        + #""title":"Day 5","body":"b","link":"app://session/warmup","expires_at":"2026-03-08T21:00:00Z"}}"#
    )
    #expect(
      request.headers.map { "\($0.name): \($0.value)" } == [
        "content-type: application/json", "webhook-id: f81e1364-21af-8521-b89a-12dd48fb201b",
        "webhook-timestamp: 1773000000",
        "webhook-signature: "
          + (try WebhookSecrets(Secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")).signature(
            of: request.body, id: "f81e1364-21af-8521-b89a-12dd48fb201b", second: 1_773_000_000)),
      ])
  }

  @Test func `sent again it has the same identifier, and a signature of its own`() throws {
    let first = try terms().request(push(), at: now)
    let second = try terms().request(push(lasting: 3600), at: now + .seconds(60))

    #expect(first.headers[1] == second.headers[1])
    #expect(first.headers[3] != second.headers[3])
  }

  @Test func `a push that is late or too long never leaves`() throws {
    let terms = try terms()
    let late = #expect(throws: Unsendable.self) { try terms.request(push(lasting: 5), at: now) }
    var kept = push()
    kept.leavesBefore = now + .seconds(5)
    let afterItsWindow = #expect(throws: Unsendable.self) { try terms.request(kept, at: now) }
    let long = #expect(throws: Unsendable.self) {
      try terms.request(push(body: String(repeating: "x", count: 4096)), at: now)
    }

    #expect(late?.delivery == .notSent("it expires before it can leave"))
    #expect(afterItsWindow == late)
    #expect(
      long?.delivery == .rejected("its payload has 4273 bytes, and the provider takes 4096"))
  }
}
