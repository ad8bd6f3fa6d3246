import LocalTime
import Push
import Synchronization
import TestSupport
import Testing

@testable import HTTP2

/// What a sender says of its provider, for metrics and for `worker push providers`.
@Suite("The figures of a provider")
struct ProviderFiguresTests {
  /// A server that ends each request as a test says, and whose answers take as long.
  private final class Server: RequestSending {
    let time = Mutex(ContinuousClock.now)
    let ends: Mutex<[End]>
    let failures = 0
    let figures: PoolFigures
    private let takes: Duration

    init(_ ends: [End], taking takes: Duration = .zero, figures: PoolFigures = PoolFigures()) {
      self.ends = Mutex(ends)
      (self.takes, self.figures) = (takes, figures)
    }

    func rest() {}

    func send(_ request: Request, then completion: @escaping @Sendable (End) -> Void) {
      time.withLock { $0 += takes }
      completion(ends.withLock { $0.removeFirst() })
    }
  }

  private let now = LocalTime.Instant(secondsSince1970: 1_773_000_000)

  private func apple(_ server: Server) -> StreamSender {
    let source = AppleTokenSource(AppleTokens { _ throws(SigningKeyError) in Secret("t") })
    return sender(AppleProvider(AppleTerms(topic: "org.example"), tokens: source), server)
  }

  private func sender(_ provider: any StreamProvider, _ server: Server) -> StreamSender {
    StreamSender(
      to: provider, by: server, rate: PushRate(most: 1000, ramp: .zero), now: { [now] in now },
      clock: { server.time.withLock(\.self) })
  }

  private func push(
    token: String = "a1b2", lasting seconds: Int = 3600, late: Duration? = nil
  ) -> PushMessage {
    var push = PushMessage(
      id: "7/2026-03-08", token: PushToken(token), title: "t", body: "b", link: "l",
      expiresAt: now.secondsSince1970 + seconds)
    push.dueAt = late.map { now - $0 }
    return push
  }

  private func answer(_ status: Int, _ body: String = "") -> End {
    .answered(Answer(status: status, body: Array(body.utf8)))
  }

  private func reason(_ status: Int, _ reason: String) -> End {
    answer(status, "{\"reason\":\"\(reason)\"}")
  }

  /// Every count, as in `sent accepted 2`.
  private func counts(_ sender: some PushSender) -> Set<String> {
    let counts = sender.figures(at: .now).answers.counts
    return Set(counts.map { "\($0.key.outcome.rawValue) \($0.key.word) \($0.value)" })
  }

  @Test func `every end of a push is counted by its outcome and one word of a closed list`() {
    let ends: [End] = [
      answer(200), answer(200), reason(400, "BadDeviceToken"), reason(400, "Gibberish"),
      answer(503), answer(299), reason(429, "TooManyRequests"), .uncertain(.timeout),
      .uncertain(.lost(.broken("cut"))), .notSent(.refused),
      .notSent(.unconnected(.unknownName("no such name"))),
    ]
    let sender = apple(Server(ends))
    for _ in ends { sender.send(push()) { _ in } }
    sender.send(push(token: "no token")) { _ in }
    sender.send(push(lasting: 5)) { _ in }
    sender.noteKept(7, because: .breaker)

    #expect(
      counts(sender) == [
        "sent accepted 2", "refused BadDeviceToken 1", "refused other 1", "not_sent 503 1",
        "refused 2xx 1", "not_sent TooManyRequests 1", "uncertain timeout 1",
        "uncertain connection_reset 1", "not_sent stream_refused 1", "not_sent connect_dns 1",
        "refused bad_token 1", "not_sent late 1", "not_sent breaker 7",
      ])
    let answers = sender.figures(at: .now).answers
    #expect(answers[.sent] == 2 && answers[.refused] == 4 && answers[.notSent] == 12)
    #expect(
      Set(answers.invalidated.map { "\($0.key) \($0.value)" })
        == ["BadDeviceToken 1", "bad_token 1"])
  }

  @Test func `no provider can make up words`() {
    #expect(
      GoAwayWord.known("Shutdown") == "Shutdown" && GoAwayWord.known("NO_ERROR") == "NO_ERROR")
    #expect(GoAwayWord.known("BringMeTheMoon") == "other")
    #expect(
      AnswerWord.all.allSatisfy { word in
        word.utf8.count <= 30 && word.utf8.allSatisfy { $0.isWordByte }
      })
  }

  @Test func `how long answers take is counted from the hand-off, and lateness from the minute`() {
    let server = Server(
      [answer(200), answer(200), .uncertain(.timeout)], taking: .milliseconds(300))
    let sender = apple(server)
    sender.send(push(late: .seconds(45))) { _ in }
    sender.send(push()) { _ in }
    sender.send(push(late: .seconds(-3))) { _ in }

    let later = server.time.withLock { $0 } + .seconds(9)
    let figures = sender.figures(at: later)
    let (seconds, lateness) = (figures.answers.seconds, figures.answers.lateness)
    #expect(seconds.count == 2 && abs(seconds.sum - 0.6) < 1e-9)
    #expect(seconds.quantile(0.5) == 0.5 && seconds.counts[5] == 2)
    #expect(lateness.count == 2 && lateness.counts[0] == 1 && lateness.counts[4] == 1)
    // The one without an answer was the last, 300 ms after the latest answer.
    #expect(figures.sinceAnswer == .milliseconds(9300))
  }

  @Test
  func `a breaker says why, since when, and when a push is tried; a failed try begins nothing`() {
    let closed = reason(403, "InvalidProviderToken")
    let server = Server([closed, closed, answer(200)])
    let sender = apple(server)
    let start = server.time.withLock { $0 }
    #expect(sender.figures(at: start).breaker?.state == .closed)
    #expect(sender.figures(at: start).breaker?.lasting == nil)

    sender.send(push()) { _ in }
    let open = sender.figures(at: start + .seconds(20)).breaker
    server.time.withLock { $0 = start + .seconds(61) }
    #expect(sender.leave(9, at: start + .seconds(61)) == .now(1))
    let trying = sender.figures(at: start + .seconds(62)).breaker
    sender.send(push()) { _ in }
    let again = sender.figures(at: start + .seconds(70)).breaker
    server.time.withLock { $0 = start + .seconds(130) }
    #expect(sender.leave(9, at: start + .seconds(130)) == .now(1))
    sender.send(push()) { _ in }
    let good = sender.figures(at: start + .seconds(131)).breaker

    let reason = "the key or the team is refused: InvalidProviderToken"
    #expect(open?.state == .open && open?.reason == reason)
    #expect(open?.lasting == .seconds(20) && open?.wait == .seconds(40))
    #expect(trying?.state == .halfOpen && trying?.lasting == .seconds(62))
    #expect(again?.state == .open && again?.lasting == .seconds(70))
    #expect(good?.state == .closed && good?.reason == nil && good?.lasting == nil)
  }

  @Test func `connections, streams, the rate and the token are those of now`() {
    var pool = PoolFigures()
    (pool.open, pool.inFlight, pool.waiting, pool.streamsAllowed) = (2, 7, 3, 1000)
    let sender = apple(Server([answer(200)], figures: pool))
    let before = sender.figures(at: .now)
    sender.send(push()) { _ in }
    let after = sender.figures(at: .now)

    #expect(before.token == TokenFigures(age: nil, minted: 0))
    #expect(after.token == TokenFigures(age: .zero, minted: 1))
    #expect(after.connections == pool && after.rate == 1000)
    #expect(after.inFlight == 7 && after.waiting == 3 && after.allowed == 1000)
  }

  @Test func `what the transport keeps back is counted at its provider`() {
    let sender = apple(Server([reason(403, "InvalidProviderToken")]))
    let transport = ProviderTransport([PushPlace(.apns): sender])
    _ = transport.send([push()])

    _ = transport.send([push(), push(), push()])

    #expect(counts(sender) == ["not_sent InvalidProviderToken 1", "not_sent breaker 3"])
    #expect(transport.figures.keys.map(\.word) == ["apns"])
  }

  @Test func `a journal says how full it is, and what it has forgotten too early`() throws {
    let folder = try ScratchFolder()
    let journal = try PushJournal(in: folder.path, named: "j", places: 3)
    for push in 1...5 { journal.note(.leaving, "\(push)", of: "1/0#1") }
    let full = journal.figures
    journal.forget(["4", "5"], of: "1/0#1")

    #expect(full.places == 3 && full.used == 3 && full.lost == 2)
    #expect(journal.figures.used == 1)
  }
}

extension UInt8 {
  fileprivate var isWordByte: Bool {
    Character(Unicode.Scalar(self)).isLetter || Character(Unicode.Scalar(self)).isNumber
      || self == UInt8(ascii: "_")
  }
}
