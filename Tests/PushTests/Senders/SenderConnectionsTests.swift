import HTTP2
import LocalTime
import Push
import Synchronization
import Testing

/// What a sender does with its connections, by a server that answers when a test says so.
@Suite("The connections of a sender")
struct SenderConnectionsTests {
  private final class Server: RequestSending {
    private struct State {
      var open: [@Sendable (End) -> Void] = []
      var rests = 0
      var renewals = 0
      var complaints = 0
    }

    private let state = Mutex(State())

    var failures: Int { 0 }
    var rests: Int { state.withLock(\.rests) }
    var renewals: Int { state.withLock(\.renewals) }
    var complaints: (count: Int, word: String)? {
      state.withLock { $0.complaints == 0 ? nil : ($0.complaints, "ENHANCE_YOUR_CALM") }
    }

    func complain() { state.withLock { $0.complaints += 1 } }
    func rest() { state.withLock { $0.rests += 1 } }
    func renew() { state.withLock { $0.renewals += 1 } }

    func send(_ request: Request, then completion: @escaping @Sendable (End) -> Void) {
      state.withLock { $0.open.append(completion) }
    }

    /// Answers the request that has waited longest.
    func answer(_ status: Int, _ reason: String = "") {
      let completion = state.withLock { $0.open.isEmpty ? nil : $0.open.removeFirst() }
      let body = reason.isEmpty ? "" : "{\"reason\":\"\(reason)\"}"
      completion?(.answered(Answer(status: status, headers: [], body: Array(body.utf8))))
    }
  }

  private let now = LocalTime.Instant(secondsSince1970: 1_773_000_000)
  private let start = ContinuousClock.now
  private let server = Server()

  private func sender(clock: @escaping @Sendable () -> ContinuousClock.Instant) -> StreamSender {
    let tokens = AppleTokenSource(AppleTokens { _ throws(SigningKeyError) in Secret("t") })
    return StreamSender(
      to: AppleProvider(AppleTerms(topic: "org.example"), tokens: tokens), by: server,
      rate: PushRate(most: 1000, ramp: .zero), now: { [now] in now }, clock: clock)
  }

  private func push(_ number: Int) -> PushMessage {
    PushMessage(
      id: "\(number)/2026-03-08", token: PushToken("a1b2"), title: "t", body: "b", link: "l",
      expiresAt: now.secondsSince1970 + 3600)
  }

  @Test func `are let go when nobody has the sender any more and its last push is answered`() {
    let found = Mutex<[Delivery]>([])
    // As after a reload that wants another sender: nobody has this one but its pushes.
    do {
      let sender = sender { [start] in start }
      for number in 1...2 {
        sender.send(push(number)) { delivery in found.withLock { $0.append(delivery) } }
      }
    }

    #expect(server.rests == 0)
    server.answer(200)
    #expect(server.rests == 0)
    server.answer(200)
    #expect(server.rests == 1)
    #expect(found.withLock(\.self) == [.sent, .sent])
  }

  @Test(arguments: [
    (403, "InvalidProviderToken", 1), (403, "ExpiredProviderToken", 1),
    (429, "TooManyProviderTokenUpdates", 1), (503, "Shutdown", 1), (400, "IdleTimeout", 1),
    (429, "TooManyRequests", 0), (400, "BadDeviceToken", 0), (410, "Unregistered", 0), (200, "", 0),
  ])
  func `end where an answer asks for others, once for all that fail together`(
    status: Int, reason: String, renewals: Int
  ) {
    let sender = sender { [start] in start }
    for number in 1...3 {
      sender.send(push(number)) { _ in }
    }
    for _ in 1...3 { server.answer(status, reason) }

    #expect(server.renewals == renewals)
  }

  @Test func `end again when another answer asks for it a minute later`() {
    let time = Mutex(start)
    let sender = sender { time.withLock(\.self) }
    for seconds in [59, 1] {
      sender.send(push(seconds)) { _ in }
      server.answer(503, "Shutdown")
      time.withLock { $0 += .seconds(seconds) }
    }
    #expect(server.renewals == 1)

    sender.send(push(3)) { _ in }
    server.answer(503, "Shutdown")
    #expect(server.renewals == 2)
  }

  @Test func `that end with the same complaint three times stop the provider for a minute`() {
    let sender = sender { [start] in start }
    for number in 1...3 {
      #expect(sender.leave(1, at: start + .seconds(number)) == .now(1))
      server.complain()
      sender.send(push(number)) { _ in }
      server.answer(200)
    }

    #expect(
      sender.leave(1, at: start)
        == .none(
          because: "it ended three connections with GOAWAY: ENHANCE_YOUR_CALM", wait: .seconds(60)))
  }
}
