import HTTP2
import LocalTime
import Push
import TestSupport
import Testing

/// From a push to a server on a library that nobody here wrote, which refuses whatever HTTP/2 forbids.
@Suite("Pushes to a strict server")
struct StrictServerTests {
  private let folder: ScratchFolder
  private let now = LocalTime.Instant(secondsSince1970: 1_773_000_000)

  init() throws { folder = try ScratchFolder() }

  private func transport(to server: StrictServer) throws -> ProviderTransport {
    let tokens = AppleTokenSource(AppleTokens { _ throws(SigningKeyError) in Secret("token") })
    let sender = StreamSender(
      to: AppleProvider(AppleTerms(topic: "org.example"), tokens: tokens),
      by: ConnectionPool(to: server.origin), rate: PushRate(most: 100_000, ramp: .zero),
      now: { [now] in now })
    return ProviderTransport([PushPlace(.apns): sender])
  }

  private func pushes(_ count: Int) -> [PushMessage] {
    (0..<count).map { number in
      PushMessage(
        id: "\(number)/2026-03-08", token: PushToken("a1b2"), title: "t", body: "b", link: "l",
        expiresAt: now.secondsSince1970 + 3600)
    }
  }

  @Test func `pushes arrive once each, and no rule of HTTP is broken`() throws {
    let server = try StrictServer("none", in: folder)

    let deliveries = try transport(to: server).send(pushes(200))
    let said = try server.end()

    #expect(deliveries.filter(\.isTaken).count == 200)
    #expect(said.matches(of: /-[0-9a-f]{12}": 1\b/).count == 200)
    #expect(said.contains(#""broken": []"#))
  }

  @Test func `of pushes whose connection is reset none is sent a second time`() throws {
    let server = try StrictServer("tcp-reset", in: folder)

    let deliveries = try transport(to: server).send(pushes(200))
    let said = try server.end()

    #expect(said.matches(of: /-[0-9a-f]{12}": [2-9]/).isEmpty)
    let sent = deliveries.filter(\.isTaken).count
    let uncertain = deliveries.filter { if case .uncertain = $0 { true } else { false } }.count
    let unsent = deliveries.filter { if case .notSent = $0 { true } else { false } }.count
    #expect(sent > 0 && uncertain > 0 && sent + uncertain + unsent == 200)
    // What arrived was sent, or nobody knows of it; nothing that was not sent arrived.
    let worked = said.matches(of: /-[0-9a-f]{12}": 1\b/).count
    #expect((sent...sent + uncertain).contains(worked))
  }
}

extension Delivery {
  fileprivate var isTaken: Bool {
    switch self {
    case .sent, .accepted: true
    case .refused, .rejected, .notSent, .uncertain: false
    }
  }
}
