import Testing

@testable import HTTP2

/// What is said of requests and connections, word for word.
struct SentenceTests {
  @Test(arguments: [
    (ConnectFailure.noTLS, "OpenSSL is missing: install the package libssl3", "library"),
    (.noHTTP2, "nghttp2 is missing: install the package libnghttp2-14", "library"),
    (
      .unreadableAuthorities("ca.crt"), "cannot read certificates of authorities in 'ca.crt'", "tls"
    ),
    (
      .unknownName("name or service not known"),
      "cannot find the server's address: name or service not known", "dns"
    ),
    (
      .unreachable("Connection refused"), "cannot connect to the server: Connection refused",
      "connect"
    ),
    (
      .untrusted("certificate has expired"),
      "TLS with the server failed: certificate has expired", "tls"
    ),
    (.otherProtocol, "the server does not speak HTTP/2", "alpn"),
    (.tooSlow, "the server took too long to connect", "timeout"),
    (
      .noSettings("the server closed it"),
      "the server ended the connection before its SETTINGS: the server closed it", "settings"
    ),
    (.stopped, "the connection was no longer wanted", "stopped"),
  ])
  func `a connection that was not made`(failure: ConnectFailure, words: String, reason: String) {
    #expect(failure.description == words)
    #expect(failure.reason == reason)
    #expect(NotSent.unconnected(failure).description == words)
  }

  @Test(arguments: [
    (
      Closing.goneAway(ErrorCode(rawValue: 11)), "the server said GOAWAY (ENHANCE_YOUR_CALM)",
      "goaway"
    ),
    (.ended, "the server closed it", "ended"),
    (.broken("Broken pipe"), "it broke: Broken pipe", "reset"),
    (.silent, "the server did not answer a ping", "timeout"),
    (.outOfRules, "the server and this program disagree about HTTP/2", "protocol"),
    (.usedUp, "all its stream numbers were used", "used_up"),
    (.resting, "it had nothing to do", "idle"),
    (.renewed, "an answer asked for another connection", "renewed"),
    (.drained, "the program ended", "drained"),
  ])
  func `a connection that ended`(closing: Closing, words: String, reason: String) {
    #expect(closing.description == words)
    #expect(closing.reason == reason)
    #expect(
      Uncertain.lost(closing).description == "the connection ended before an answer: \(words)")
  }

  @Test func `what could not be written in time is the server's, unless the process stood still`() {
    let now = ContinuousClock.now
    let words = [1000, 5000, 5001].map { milliseconds in
      Closing.unwritten(at: now, wentOnAt: now - .milliseconds(milliseconds)).description
    }

    let taken = "it broke: the server did not take what was written within 5 s"
    #expect(words == [taken, taken, "it broke: this process stood still"])
  }

  @Test func `a request shows neither its token nor its device`() {
    let request = Request(
      id: 7, path: "/3/device/a1b2", headers: [HeaderField("authorization", "bearer t0k3n")],
      body: [1, 2])
    var dumped = ""
    dump(Pending(request: request, since: .now) { _ in }, to: &dumped)

    #expect("\(request)" == "request 7 with a body of 2 bytes")
    #expect(!"\([request])\(dumped)".contains(#/t0k3n|a1b2/#))
  }

  @Test func `a request whose end is uncertain or that was not sent`() {
    #expect(Uncertain.timeout.description == "no answer came in time")
    #expect(
      Uncertain.reset(.cancel).description == "the server broke the request off: CANCEL")
    #expect(
      NotSent.unusable.description
        == "the request's headers cannot be sent: they are too many or too long")
  }
}
