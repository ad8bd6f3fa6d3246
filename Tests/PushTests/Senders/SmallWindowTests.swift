import HTTP2
import Push
import TestSupport
import Testing

/// Pushes to a server that takes less of a body than there is of it before it has the headers.
@Suite("Pushes by small windows")
struct SmallWindowTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test(arguments: ["window-0", "window-16"])
  func `a server that makes room when it has the headers gets each push once`(fault: String) throws
  {
    let server = try StrictServer(fault, in: folder)

    let deliveries = server.transport().send(StrictServer.pushes(40))
    let said = try server.end()

    #expect(deliveries.count(where: \.isTaken) == 40)
    #expect(said.matches(of: #/-[0-9a-f]{12}": 1\b/#).count == 40)
    #expect(said.contains(#""broken": []"#))
  }

  @Test func `a server that makes no room has half of one push at a time, and no other`()
    throws
  {
    let server = try StrictServer("window-shut", in: folder)
    var policy = PoolPolicy()
    // Long beside what a busy machine takes over a handshake: time that passes before it counts too.
    (policy.provesTokens, policy.queueing) = (false, .seconds(15))
    policy.limits.answer = .seconds(3)

    let deliveries = server.transport(policy).send(StrictServer.pushes(40))
    let said = try server.end()

    let uncertain = deliveries.count { if case .uncertain = $0 { true } else { false } }
    let unsent = deliveries.count { if case .notSent = $0 { true } else { false } }
    #expect((1...7).contains(uncertain) && uncertain + unsent == 40)
    #expect(said.contains(#""worked": {}"#) && said.contains(#""broken": []"#))
  }
}
