import HTTP2
import LocalTime
import Push
import Synchronization
import TestSupport
import Testing

@Suite("Pushes by HTTP/2")
struct StreamSenderTests {
  /// A server that ends each request as a test says, and remembers it.
  private final class Server: RequestSending {
    let seen = Mutex<[Request]>([])
    let failed = Atomic(0)
    private let end: @Sendable (Int) -> End

    init(_ end: @escaping @Sendable (Int) -> End) { self.end = end }

    var failures: Int { failed.load(ordering: .relaxed) }

    func rest() {}

    func send(_ request: Request, then completion: @escaping @Sendable (End) -> Void) {
      let count = seen.withLock { seen in
        seen.append(request)
        return seen.count
      }
      completion(end(count))
    }
  }

  private let now = LocalTime.Instant(secondsSince1970: 1_773_000_000)
  private let start = ContinuousClock.now

  private func apple(_ server: Server, journal: RequestJournal? = nil) throws -> StreamSender {
    let source = AppleTokenSource(
      AppleTokens { now throws(SigningKeyError) in Secret("minted at \(now)") })
    return StreamSender(
      to: AppleProvider(AppleTerms(topic: "org.example"), tokens: source), by: server,
      rate: PushRate(most: 100_000, ramp: .zero), journal: journal, now: { [now] in now },
      clock: { [start] in start })
  }

  private func push(_ id: String = "7/2026-03-08", lasting seconds: Int = 3600) -> PushMessage {
    var push = PushMessage(
      id: id, token: PushToken("a1b2"), title: "t", body: "b", link: "l",
      expiresAt: now.secondsSince1970 + seconds)
    push.claim = "4711/0#1"
    return push
  }

  private func delivery(_ push: PushMessage, by sender: StreamSender) -> Delivery? {
    let found = Mutex<Delivery?>(nil)
    sender.send(push) { delivery in found.withLock { $0 = delivery } }
    return found.withLock(\.self)
  }

  private func answer(_ status: Int, _ body: String = "", headers: [HeaderField] = []) -> End {
    .answered(Answer(status: status, headers: headers, body: Array(body.utf8)))
  }

  @Test func `a push is a request with the team's token, and is named as the provider names it`()
    throws
  {
    let taken = answer(
      200, headers: [HeaderField("apns-id", "c6cf"), HeaderField("apns-unique-id", "u1")])
    let server = Server { _ in taken }
    let sender = try apple(server)

    #expect(delivery(push(), by: sender) == .accepted(as: "u1"))
    let requests = server.seen.withLock(\.self)
    let request = try #require(requests.first)
    #expect(request.path == "/3/device/a1b2")
    #expect(request.token == 1)
    #expect(
      request.headers.last
        == HeaderField("authorization", "bearer minted at 2026-03-08T20:00:00Z"))
    #expect(request.headers.filter(\.isUnique).map(\.name) == ["apns-expiration", "apns-id"])
  }

  @Test(
    arguments: [
      (
        .notSent(.refused),
        .notSent(
          "the server refused the stream on each connection it was tried on", wait: .seconds(5))
      ),
      (.notSent(.unconnected(.otherProtocol)), .notSent("the server does not speak HTTP/2")),
      (.uncertain(.timeout), .uncertain("no answer came in time")),
      (.answered(Answer(status: 200, body: [1], isWhole: false)), .sent),
    ] as [(End, Delivery)])
  func `what became of a request is what became of its push`(end: End, delivery: Delivery) throws {
    #expect(self.delivery(push(), by: try apple(Server { _ in end })) == delivery)
  }

  @Test func `an old token is replaced once, and what failed for it is tried again`() throws {
    let old = answer(403, "{\"reason\":\"ExpiredProviderToken\"}")
    let server = Server { _ in old }
    let source = AppleTokenSource(AppleTokens { _ throws(SigningKeyError) in Secret("t") })
    _ = try source.token(at: now - .seconds(2000))
    let sender = StreamSender(
      to: AppleProvider(AppleTerms(topic: "org.example"), tokens: source), by: server,
      rate: PushRate(most: 1000, ramp: .zero), now: { [now] in now }, clock: { [start] in start })

    let expired = Delivery.notSent("ExpiredProviderToken", wait: .seconds(5))
    #expect(delivery(push("1"), by: sender) == expired)
    #expect(sender.leave(1, at: start) == .now(1))
    #expect(delivery(push("2"), by: sender) == expired)
    #expect(server.seen.withLock { $0.map(\.token) } == [1, 2])
    #expect(
      sender.leave(1, at: start)
        == .none(
          because: "Apple calls a new token expired: set this host's clock right",
          wait: .seconds(60)))
  }

  @Test func `many pushes that waited for one connection count as one that failed`() throws {
    let server = Server { _ in .notSent(.unconnected(.unreachable("refused"))) }
    let sender = try apple(server)
    for failures in 1...3 {
      server.failed.store(failures, ordering: .relaxed)
      #expect(sender.leave(1, at: start + .seconds(failures)) == .now(1))
      for push in 0..<100 { _ = delivery(self.push("\(push)"), by: sender) }
    }

    #expect(
      sender.leave(1, at: start + .seconds(4))
        == .none(because: "cannot connect to the server: refused", wait: .seconds(56)))
  }

  @Test func `a push that ends before a connection may be there is not sent`() throws {
    let taken = answer(200)
    let server = Server { _ in taken }
    let sender = try apple(server)

    #expect(delivery(push(lasting: 15), by: sender) == .notSent("it expires before it can leave"))
    #expect(delivery(push(lasting: 16), by: sender) == .sent)
  }

  @Test func `a push whose token takes until its end is not sent`() throws {
    let taken = answer(200)
    let server = Server { _ in taken }
    let time = Mutex(now)
    let source = AppleTokenSource(
      AppleTokens { _ throws(SigningKeyError) in
        time.withLock { $0 = $0 + .seconds(20) }
        return Secret("t")
      })
    let sender = StreamSender(
      to: AppleProvider(AppleTerms(topic: "org.example"), tokens: source), by: server,
      rate: PushRate(most: 1000, ramp: .zero), now: { time.withLock(\.self) })

    #expect(
      delivery(push(lasting: 30), by: sender) == .notSent("it expires before it can leave"))
    #expect(server.seen.withLock(\.count) == 0)
  }

  @Test func `a journal has what left, what was taken, and what was not`() async throws {
    let folder = try ScratchFolder()
    try send(folder.path)

    let remains = try #require(JournalRemains.all(in: folder.path).first)
    let fates = ["taken", "refused", "lost", "returned", "unsent", "failing"].map {
      remains.fate(of: $0, claimedBy: "4711/0#1")
    }
    #expect(fates == [.accepted, .refused, .left, .refused, .neverLeft, .left])
  }

  /// Sends a push of each kind, and lets go of the journal.
  private func send(_ folder: String) throws {
    let journal = try PushJournal(in: folder, named: "ended", places: 64)
    journal.attend("4711/0#1")
    let requests = RequestJournal(journal)
    let ends: [(String, End)] = [
      ("taken", answer(200)), ("refused", answer(410)), ("lost", .uncertain(.timeout)),
      ("failing", answer(500)),
    ]
    for (id, end) in ends {
      let server = LeavingServer(requests, end)
      let sender = StreamSender(
        to: Always(id == "failing" ? .uncertain("500") : nil), by: server,
        rate: PushRate(most: 1), journal: requests, now: { [now] in now })
      _ = delivery(push(id), by: sender)
    }
    requests.expect(99, push("returned"))
    #expect(requests.leave([99]) { true })
    requests.returns(99)
  }

  /// A server that tells a journal what the pool would.
  private struct LeavingServer: RequestSending {
    let journal: RequestJournal
    let end: End

    init(_ journal: RequestJournal, _ end: End) { (self.journal, self.end) = (journal, end) }

    var failures: Int { 0 }

    func rest() {}

    func send(_ request: Request, then completion: @escaping @Sendable (End) -> Void) {
      _ = journal.leave([request.id]) { true }
      completion(end)
    }
  }

  /// A provider that takes 200 and nothing else, or means by all what a test says.
  private struct Always: StreamProvider {
    let delivery: Delivery?
    let namingHeaders: [String] = []

    init(_ delivery: Delivery?) { self.delivery = delivery }

    func token(at now: LocalTime.Instant) throws(Unsendable) -> BearerToken {
      BearerToken(text: "t", generation: 1)
    }

    func request(_ push: PushMessage, at now: LocalTime.Instant) throws(Unsendable) -> PushRequest {
      PushRequest(path: "/", headers: [], body: "")
    }

    func verdict(
      _ answer: ProviderAnswer, to push: PushMessage, at now: LocalTime.Instant
    ) -> Verdict {
      Verdict(delivery: delivery ?? (answer.status == 200 ? .sent : .refused("gone")))
    }

    func heed(_ advice: Verdict.Token, of generation: Int, at now: LocalTime.Instant) -> String? {
      nil
    }
  }
}
