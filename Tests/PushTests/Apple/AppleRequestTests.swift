import LocalTime
import Push
import Testing

@Suite("What Apple is asked")
struct AppleRequestTests {
  private let now = Instant(secondsSince1970: 1_773_000_000)
  private let terms = AppleTerms(topic: "org.example.learning")

  private func push(
    token: String = "a1B2c3d4", body: String = "오늘의 문장", lasting seconds: Int = 3600
  ) -> PushMessage {
    PushMessage(
      id: "7/2026-03-08", token: PushToken(token), title: "Day 5", body: body,
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

  @Test func `a push has its device, its app, its end, and a name that is always the same`() throws
  {
    let request = try terms.request(push(), at: now)

    #expect(request.path == "/3/device/a1B2c3d4")
    #expect(
      request.headers.map { "\($0.name): \($0.value)" } == [
        "apns-topic: org.example.learning", "apns-push-type: alert", "apns-priority: 5",
        "apns-collapse-id: daily", "apns-expiration: 1773003600",
        "apns-id: f81e1364-21af-8521-b89a-12dd48fb201b",
      ])
    #expect(request.headers.filter(\.isUnique).map(\.name) == ["apns-expiration", "apns-id"])
    #expect(
      request.body
        == ApplePayload(
          title: "Day 5", body: "오늘의 문장", link: "app://session/warmup", id: "7/2026-03-08"
        ).text)
  }

  @Test func `Apple keeps a push six hours at most, and never into quiet hours`() throws {
    let ends = try [3600, 6 * 3600, 9 * 3600].map { seconds in
      try terms.request(push(lasting: seconds), at: now).headers.first {
        $0.name == "apns-expiration"
      }?.value
    }

    #expect(ends == ["1773003600", "1773021600", "1773021600"])
    #expect(refusal(push(lasting: 5)) == .notSent("it expires before it can leave"))
  }

  @Test(arguments: [
    "a1 b2", "a1b", "", "xyz1", "a1b2\n", "a1/../b2", String(repeating: "a", count: 514),
  ])
  func `a device whose token Apple cannot have given is gone`(token: String) {
    #expect(
      refusal(push(token: token))
        == .refused("the token is none of APNs: an even number of hexadecimal digits"))
  }

  @Test func `a payload of 4096 bytes leaves, and one of a byte more never does`() throws {
    let empty = try terms.request(push(body: ""), at: now).body.utf8.count
    let most = String(repeating: "x", count: 4096 - empty)

    #expect(try terms.request(push(body: most), at: now).body.utf8.count == 4096)
    #expect(
      refusal(push(body: most + "x"))
        == .rejected("its payload has 4097 bytes, and the provider takes 4096"))
  }

  @Test func `a request shows neither its device nor its text`() throws {
    let request = try terms.request(push(), at: now)
    var shown = "\(request) \(String(reflecting: request))"
    dump(request, to: &shown)

    #expect(!shown.contains("a1B2c3d4") && !shown.contains("Day 5"))
  }
}
