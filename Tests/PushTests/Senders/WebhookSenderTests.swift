import Dispatch
import LocalTime
import Push
import Synchronization
import TestSupport
import Testing
import Web

@Suite("Pushes to webhooks")
struct WebhookSenderTests {
  /// A web in which every name has the address that a test gives it.
  private struct Web: WebhookExchange {
    var names: [String: String] = ["example.org": "1.1.1.1"]
    var outcome = WebhookOutcome.answered(ProviderAnswer(status: 204))
    var connect: @Sendable (_ host: String) -> Void = { _ in }
    let asked = Asked()

    final class Asked: Sendable { let addresses = Mutex<[String]>([]) }

    func addresses(of host: String) -> [NetworkAddress] {
      names[host].flatMap { NetworkAddress($0) }.map { [$0] } ?? []
    }

    func post(
      _ request: PushRequest, to target: WebhookTarget, at addresses: [NetworkAddress],
      if mayLeave: @escaping @Sendable () -> Bool
    ) -> WebhookOutcome {
      connect(target.host)
      guard mayLeave() else { return .late }
      asked.addresses.withLock { $0 += addresses.map { "\(target.host) \($0)" } }
      return outcome
    }
  }

  private let now = Instant(secondsSince1970: 1_773_000_000)
  private let clock = HandClock()

  /// How long ago `now` is.
  private final class HandClock: Sendable { let age = Mutex(Duration.zero) }

  private func deliveries(
    _ urls: [String], through web: Web, id: String = "7/2026-03-08", journal: PushJournal? = nil,
    requestsAtOnce: Int = 16
  ) throws -> [Delivery] {
    let sender = WebhookSender(
      WebhookTerms(secrets: try WebhookSecrets(Secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))),
      within: WebhookLimits(), rate: PushRate(most: 100_000, ramp: .zero), through: web,
      journal: journal, requestsAtOnce: requestsAtOnce,
      now: { [now, clock] in now + clock.age.withLock(\.self) })
    return ProviderTransport([PushPlace(.webhook): sender]).send(
      urls.map { url in
        var push = PushMessage(
          id: id, provider: .webhook, token: PushToken(url), title: "t", body: "b", link: "l",
          expiresAt: now.secondsSince1970 + 60)
        push.claim = "1/0#1"
        return push
      })
  }

  @Test func `a webhook of the internet is posted to, at the address that was judged`() throws {
    let web = Web()

    let name = try Digest.uuid("worker push 7/2026-03-08")
    #expect(try deliveries(["https://example.org/push"], through: web) == [.accepted(as: name)])
    #expect(web.asked.addresses.withLock(\.self) == ["example.org 1.1.1.1"])
  }

  @Test func `a slow receiver keeps no push of another waiting while a thread is free`() throws {
    let others = DispatchSemaphore(value: 0)
    let wasInTime = Mutex(false)
    let web = Web(
      names: ["slow.example": "1.1.1.1", "example.org": "1.1.1.2"],
      connect: { host in
        guard host == "slow.example" else {
          others.signal()
          return
        }
        let end = DispatchTime.now() + .seconds(10)
        let isInTime = (1...6).allSatisfy { _ in others.wait(timeout: end) == .success }
        wasInTime.withLock { $0 = isInTime }
      })

    let all = try deliveries(
      ["https://slow.example"] + Array(repeating: "https://example.org", count: 6), through: web,
      requestsAtOnce: 2)

    #expect(wasInTime.withLock(\.self) == true)
    #expect(all.allSatisfy { if case .accepted = $0 { true } else { false } })
  }

  @Test(arguments: [(54, JournalRemains.Fate.accepted), (55, .refused)])
  func `a push whose connection stands five seconds before its end or later does not leave`(
    seconds: Int, fate: JournalRemains.Fate
  ) throws {
    let folder = try ScratchFolder()
    let delivery = try post(connectedAfter: .seconds(seconds), in: folder.path)

    let late = Delivery.notSent("it expires before it can leave")
    #expect((delivery == late) == (fate == .refused))
    try eventually { !JournalRemains.all(in: folder.path).isEmpty }
    let remains = try #require(JournalRemains.all(in: folder.path).first)
    #expect(remains.fate(of: "7/2026-03-08", claimedBy: "1/0#1") == fate)
  }

  /// Posts a push whose connection takes so long, and lets go of the journal.
  private func post(connectedAfter age: Duration, in folder: String) throws -> Delivery? {
    let journal = try PushJournal(in: folder, named: "ended", places: 64)
    journal.attend("1/0#1")
    let web = Web(connect: { [clock] _ in clock.age.withLock { $0 = age } })
    return try deliveries(["https://example.org"], through: web, journal: journal).first
  }

  @Test func `none that leads elsewhere is asked anything`() throws {
    let web = Web(names: ["inner.example": "10.0.0.7", "1.1.1.1": "1.1.1.1"])

    let answers = try deliveries(
      [
        "http://example.org/", "https://inner.example/", "https://gone.example/", "https://user@x/",
      ],
      through: web)

    #expect(
      answers == [
        .refused("its address is no URL that begins with https://"),
        .rejected("its address leads to a private address"),
        .notSent("its host's name has no address now"),
        .refused("its address is no URL that begins with https://"),
      ])
    #expect(web.asked.addresses.withLock(\.self) == [])
  }

  @Test func `a journal has what left, and what became of it`() throws {
    let folder = try ScratchFolder()
    try post(in: folder.path)

    // A child that another test has just started holds what is open here until it is another program.
    try eventually { !JournalRemains.all(in: folder.path).isEmpty }
    let remains = try #require(JournalRemains.all(in: folder.path).first)
    let fates = ["204", "410", "500", "inner"].map { remains.fate(of: $0, claimedBy: "1/0#1") }
    #expect(fates == [.accepted, .refused, .left, .neverLeft])
  }

  /// Posts a push for each answer, and one that leads elsewhere, and lets go of the journal.
  private func post(in folder: String) throws {
    let journal = try PushJournal(in: folder, named: "ended", places: 64)
    journal.attend("1/0#1")
    for status in [204, 410, 500] {
      let web = Web(outcome: .answered(ProviderAnswer(status: status)))
      _ = try deliveries(
        ["https://example.org"], through: web, id: "\(status)", journal: journal)
    }
    _ = try deliveries(
      ["https://10.0.0.7"], through: Web(names: ["10.0.0.7": "10.0.0.7"]), id: "inner",
      journal: journal)
  }

  @Test(
    arguments: [
      (.answered(ProviderAnswer(status: 302)), .rejected("302, and redirects are not followed")),
      (.answered(ProviderAnswer(status: 410)), .refused("410, it wants no webhook more")),
      (.answered(ProviderAnswer(status: 500)), .uncertain("500")),
      (.answered(ProviderAnswer(status: 429)), .notSent("429", wait: .seconds(60))),
      (.notSent("couldn't connect to server"), .notSent("couldn't connect to server")),
      (.uncertain("timeout was reached"), .uncertain("timeout was reached")),
    ] as [(WebhookOutcome, Delivery)])
  func `what became of a request is what became of its push`(
    outcome: WebhookOutcome, delivery: Delivery
  ) throws {
    #expect(try deliveries(["https://example.org"], through: Web(outcome: outcome)) == [delivery])
  }
}
