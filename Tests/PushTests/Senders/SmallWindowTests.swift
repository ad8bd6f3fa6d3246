import HTTP2
import LocalTime
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

  @Test func `a server that makes no room has half of one push after the other`() throws {
    let server = try StrictServer("window-shut", in: folder)
    var policy = PoolPolicy()
    (policy.provesTokens, policy.queueing) = (false, .hang)
    policy.limits.answer = .seconds(2)

    let start = ContinuousClock.now
    let deliveries = server.transport(policy).send(StrictServer.pushes(4))
    let took = start.duration(to: .now)
    let said = try server.end()

    #expect(deliveries.allSatisfy { if case .uncertain = $0 { true } else { false } })
    // Several at once would be given up together; a busy machine only takes longer.
    #expect(took >= .seconds(8))
    #expect(said.contains(#""worked": {}"#) && said.contains(#""broken": []"#))
  }

  @Test func `pushes that may not leave any more when there is room were not sent`() throws {
    let server = try StrictServer("window-shut", in: folder)
    var policy = PoolPolicy()
    (policy.provesTokens, policy.queueing) = (false, .hang)
    // The one that is half sent keeps the room for far longer than the others may wait.
    policy.limits.answer = .seconds(15)
    var pushes = StrictServer.pushes(40)
    for index in pushes.indices.dropFirst() {
      pushes[index].leavesBefore = StrictServer.now + .seconds(8)
    }

    let deliveries = server.transport(policy).send(pushes)
    let said = try server.end()

    let unsent = deliveries.count { if case .notSent = $0 { true } else { false } }
    #expect(unsent == 39)
    guard case .uncertain? = deliveries.first else {
      Issue.record("\(deliveries)")
      return
    }
    #expect(said.contains(#""worked": {}"#) && said.contains(#""broken": []"#))
  }
}
