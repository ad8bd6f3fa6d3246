import HTTP2
import LocalTime
import Push
import TestSupport
import Testing

/// From a push to a server on a library that nobody here wrote, which refuses whatever HTTP/2 forbids.
@Suite("Pushes to a strict server")
struct StrictServerTests {
  private let folder: ScratchFolder
  private let certificate: Certificate
  private let now = LocalTime.Instant(secondsSince1970: 1_773_000_000)

  init() throws {
    folder = try ScratchFolder()
    certificate = try Certificate(for: "push.example", in: folder)
  }

  /// Starts the server with one of its faults, at every fiftieth push.
  private func start(_ fault: String, on port: Int) throws -> ChildProcess {
    let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    let output = "\(folder.path)/output"
    let server = try ChildProcess(
      ".build/oracles/python/bin/python",
      [
        "-u", "/\(root)/Tests/push/strict.py", "\(port)", certificate.certificate,
        certificate.key, fault,
      ], output: output)
    try eventually(within: .seconds(120)) {
      try TextFile.read(output).contains("ready")
    }
    return server
  }

  private func transport(to port: Int) throws -> ProviderTransport {
    let origin = Origin(
      host: "push.example", port: UInt16(port), address: "127.0.0.1",
      authorities: certificate.authority)
    let tokens = AppleTokenSource(AppleTokens { _ throws(SigningKeyError) in Secret("token") })
    let sender = StreamSender(
      to: AppleProvider(AppleTerms(topic: "org.example"), tokens: tokens),
      by: ConnectionPool(to: origin), rate: PushRate(most: 100_000, ramp: .zero),
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
    let port = try FreePort.find()
    let server = try start("none", on: port)

    let deliveries = try transport(to: port).send(pushes(200))
    server.send(15)
    try server.status(within: .seconds(120))

    #expect(deliveries.filter(\.isTaken).count == 200)
    let said = try TextFile.read("\(folder.path)/output")
    #expect(said.matches(of: /-[0-9a-f]{12}": 1\b/).count == 200)
    #expect(said.contains(#""broken": []"#))
  }

  @Test func `of pushes whose connection is reset none is sent a second time`() throws {
    let port = try FreePort.find()
    let server = try start("tcp-reset", on: port)

    let deliveries = try transport(to: port).send(pushes(200))
    server.send(15)
    try server.status(within: .seconds(120))

    let said = try TextFile.read("\(folder.path)/output")
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
