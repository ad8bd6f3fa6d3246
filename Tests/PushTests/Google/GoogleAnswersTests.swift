import LocalTime
import Push
import Testing

@Suite("What Google means by its answers")
struct GoogleAnswersTests {
  private let now = Instant(secondsSince1970: 1_773_000_000)

  private func verdict(_ status: Int, _ body: String = "", retryAfter: String? = nil) -> Verdict {
    GoogleAnswers.verdict(
      ProviderAnswer(status: status, body: Array(body.utf8), retryAfter: retryAfter), at: now)
  }

  /// An error as Google writes it.
  private func error(_ status: String, code: String? = nil, blaming field: String? = nil) -> String
  {
    let code = code.map {
      #"{"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"\#($0)"}"#
    }
    let field = field.map {
      #"{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[{"field":"\#($0)"}]}"#
    }
    let details = [code, field].compactMap(\.self).joined(separator: ",")
    return #"{"error":{"code":1,"message":"m","status":"\#(status)","details":[\#(details)]}}"#
  }

  @Test func `200 is a push that was taken, under its name`() {
    #expect(
      verdict(200, #"{"name":"projects/p/messages/1"}"#)
        == Verdict(delivery: .accepted(as: "projects/p/messages/1")))
    #expect(verdict(200, "<html>") == Verdict(delivery: .sent))
  }

  @Test func `a name that no database takes is written down without what it cannot take`() {
    #expect(
      verdict(200, #"{"name":"projects/\u0000/1"}"#)
        == Verdict(delivery: .accepted(as: "projects/?/1")))
  }

  @Test func `400 invalidates a device only when Google blames its token, and no member`() {
    #expect(
      verdict(400, error("INVALID_ARGUMENT", code: "INVALID_ARGUMENT"))
        == Verdict(delivery: .refused("INVALID_ARGUMENT"), health: .failing))
    for body in [
      error("INVALID_ARGUMENT", code: "INVALID_ARGUMENT", blaming: "message.android.ttl"),
      error("INVALID_ARGUMENT"),
    ] {
      #expect(
        verdict(400, body) == Verdict(delivery: .rejected("INVALID_ARGUMENT"), health: .failing))
    }
    #expect(verdict(400) == Verdict(delivery: .rejected("400"), health: .failing))
  }

  @Test func `401 has a new access token fetched, and the push is tried with it`() {
    #expect(
      verdict(401, error("UNAUTHENTICATED"))
        == Verdict(delivery: .notSent("UNAUTHENTICATED", wait: .seconds(5)), token: .renew))
  }

  @Test func `401 for the key of another provider fails pushes to its devices alone`() {
    #expect(
      verdict(401, error("UNAUTHENTICATED", code: "THIRD_PARTY_AUTH_ERROR"))
        == Verdict(delivery: .rejected("THIRD_PARTY_AUTH_ERROR"), health: .failing))
  }

  @Test func `403 for a token of another project invalidates the device`() {
    #expect(
      verdict(403, error("PERMISSION_DENIED", code: "SENDER_ID_MISMATCH"))
        == Verdict(delivery: .refused("SENDER_ID_MISMATCH"), health: .failing))
  }

  @Test func `403 for the account sends no more, and loses no push`() {
    let words = "the service account is refused: PERMISSION_DENIED"
    #expect(
      verdict(403, error("PERMISSION_DENIED"))
        == Verdict(delivery: .notSent(words), health: .closed(words)))
  }

  @Test func `404 is a dead device only when Google says so`() {
    let words = "the project is not found: NOT_FOUND"
    #expect(
      verdict(404, error("NOT_FOUND", code: "UNREGISTERED"))
        == Verdict(delivery: .refused("UNREGISTERED")))
    #expect(
      verdict(404, error("NOT_FOUND")) == Verdict(delivery: .notSent(words), health: .closed(words))
    )
  }

  @Test(
    arguments: [
      (nil, 60), ("7", 7), ("0", 1), ("7200", 3600), ("Sun, 08 Mar 2026 20:00:30 GMT", 30),
    ] as [(String?, Int)])
  func `429 halves the rate, and the push waits a minute or as long as Google says`(
    retryAfter: String?, seconds: Int
  ) {
    #expect(
      verdict(
        429, error("RESOURCE_EXHAUSTED", code: "QUOTA_EXCEEDED"), retryAfter: retryAfter)
        == Verdict(delivery: .notSent("QUOTA_EXCEEDED", wait: .seconds(seconds)), rate: .halve))
  }

  @Test func `503 that says when to come again has taken nothing`() {
    #expect(
      verdict(503, error("UNAVAILABLE", code: "UNAVAILABLE"), retryAfter: "30")
        == Verdict(
          delivery: .notSent("UNAVAILABLE", wait: .seconds(30)), health: .failing, rate: .halve))
  }

  @Test(
    arguments: [(500, "INTERNAL"), (502, nil), (503, "UNAVAILABLE"), (504, nil)] as [(Int, String?)]
  )
  func `any other failure of Google may have been delivered, so it is not sent again`(
    status: Int, code: String?
  ) {
    let body = code.map { error($0, code: $0) } ?? "<html>"
    let isHalved = status == 503
    #expect(
      verdict(status, body)
        == Verdict(
          delivery: .uncertain(code ?? "\(status)"), health: .failing,
          rate: isHalved ? .halve : .keep))
    guard status != 503 else { return }
    #expect(verdict(status, body, retryAfter: "30").delivery == .uncertain(code ?? "\(status)"))
  }

  @Test(arguments: [418, 301, 201, 511])
  func `an answer that nobody knows is a refusal, and is counted`(status: Int) {
    #expect(
      verdict(status)
        == Verdict(delivery: .rejected("unknown answer: \(status)"), health: .unknown))
  }
}
