import LocalTime
import Push
import Testing

@Suite("What a webhook means by its answers")
struct WebhookAnswersTests {
  private func verdict(_ status: Int, retryAfter: String? = nil) -> Verdict {
    WebhookAnswers.verdict(
      ProviderAnswer(status: status, retryAfter: retryAfter),
      at: Instant(secondsSince1970: 1_773_000_000))
  }

  @Test(arguments: [200, 201, 202, 204, 299])
  func `2xx is a push that was taken`(status: Int) {
    #expect(verdict(status) == Verdict(delivery: .sent))
  }

  @Test(arguments: [301, 302, 307, 308])
  func `a redirect is a refusal, and never followed`(status: Int) {
    #expect(
      verdict(status)
        == Verdict(
          delivery: .rejected("\(status), and redirects are not followed"), health: .failing))
  }

  @Test func `410 is a webhook that wants no more`() {
    #expect(verdict(410) == Verdict(delivery: .refused("410, it wants no webhook more")))
  }

  @Test(arguments: [408, 425])
  func `408 and 425 have taken nothing, and are tried again`(status: Int) {
    #expect(verdict(status) == Verdict(delivery: .notSent("\(status)"), health: .failing))
    #expect(verdict(status, retryAfter: "9").delivery == .notSent("\(status)", wait: .seconds(9)))
  }

  @Test(arguments: [(nil, 60), ("9", 9)] as [(String?, Int)])
  func `429 halves the rate, and waits a minute or as long as it says`(
    retryAfter: String?, seconds: Int
  ) {
    #expect(
      verdict(429, retryAfter: retryAfter)
        == Verdict(delivery: .notSent("429", wait: .seconds(seconds)), rate: .halve))
  }

  @Test func `503 that says when to come again has taken nothing`() {
    #expect(
      verdict(503, retryAfter: "9")
        == Verdict(delivery: .notSent("503", wait: .seconds(9)), health: .failing, rate: .halve))
  }

  @Test(arguments: [(500, false), (501, false), (502, true), (503, true), (504, true)])
  func `any other failure may have been taken, so it is not sent again`(
    status: Int, isHalved: Bool
  ) {
    #expect(
      verdict(status)
        == Verdict(
          delivery: .uncertain("\(status)"), health: .failing, rate: isHalved ? .halve : .keep))
  }

  @Test(arguments: [400, 401, 403, 404, 413, 418])
  func `any other 4xx is a refusal of this push`(status: Int) {
    #expect(verdict(status) == Verdict(delivery: .rejected("\(status)"), health: .failing))
  }

  @Test(arguments: [0, 199, 600, 999])
  func `an answer that nobody knows is a refusal, and is counted`(status: Int) {
    #expect(
      verdict(status)
        == Verdict(delivery: .rejected("unknown answer: \(status)"), health: .unknown))
  }
}
