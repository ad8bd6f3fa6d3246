import Push
import TestSupport
import Testing

/// From a push to a server on a library that nobody here wrote, which refuses whatever HTTP/2 forbids.
@Suite("Pushes to a strict server")
struct StrictServerTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test func `pushes arrive once each, and no rule of HTTP is broken`() throws {
    let server = try StrictServer("none", in: folder)

    let deliveries = server.transport().send(StrictServer.pushes(200))
    let said = try server.end()

    #expect(deliveries.filter(\.isTaken).count == 200)
    #expect(said.matches(of: /-[0-9a-f]{12}": 1\b/).count == 200)
    #expect(said.contains(#""broken": []"#))
  }

  @Test func `of pushes whose connection is reset none is sent a second time`() throws {
    let server = try StrictServer("tcp-reset", in: folder)

    let deliveries = server.transport().send(StrictServer.pushes(200))
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
