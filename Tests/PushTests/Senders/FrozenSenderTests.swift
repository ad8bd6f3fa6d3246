import HTTP2
import Push
import Synchronization
import TestSupport
import Testing

/// What a server has of a process that stood still while it was about to write.
@Suite("Pushes of a process that stood still")
struct FrozenSenderTests {
  private let folder: ScratchFolder
  private let server: StrictServer

  init() throws {
    folder = try ScratchFolder()
    server = try StrictServer("none", in: folder)
  }

  @Test func `what may leave no more is not written, and goes by another connection if it may`()
    throws
  {
    let journal = Refusing(lot: 1)
    let deliveries = send(telling: journal)
    let said = try server.end()

    #expect(deliveries.allSatisfy { if case .uncertain = $0 { false } else { true } })
    #expect(said.matches(of: /-[0-9a-f]{12}": 1\b/).count == 40)
    let (refused, returned) = journal.told.withLock { ($0.refused, $0.returned) }
    #expect(!refused.isEmpty && returned.sorted() == refused.sorted())
  }

  @Test func `what left before it stood still is uncertain, and none of it goes again`() throws {
    let deliveries = send(telling: Refusing(lot: 2))
    let said = try server.end()

    #expect(said.matches(of: /-[0-9a-f]{12}": [2-9]/).isEmpty)
    let uncertain = deliveries.count { if case .uncertain = $0 { true } else { false } }
    #expect((0...8).contains(uncertain))
    #expect(said.matches(of: /-[0-9a-f]{12}": 1\b/).count >= 40 - uncertain)
  }

  /// Connections that replace each other at once.
  private func send(telling journal: Refusing) -> [Delivery] {
    var policy = PoolPolicy()
    policy.provesTokens = false
    (policy.betweenConnections, policy.longestWait) = (.zero, .zero)
    return server.transport(policy, telling: journal).send(StrictServer.pushes(40))
  }

  /// A journal whose process stood still right before a lot was marked.
  private final class Refusing: RequestObserver {
    struct Told {
      var lots = 0
      var refused: [UInt64] = []
      var returned: [UInt64] = []
    }

    let told = Mutex(Told())
    private let lot: Int

    init(lot: Int) { self.lot = lot }

    func leave(_ ids: [UInt64], if mayLeave: () -> Bool) -> Bool {
      let isRefused = told.withLock { told in
        told.lots += 1
        if told.lots == lot { told.refused = ids }
        return told.lots == lot
      }
      return !isRefused && mayLeave()
    }

    func returns(_ id: UInt64) { told.withLock { $0.returned.append(id) } }
    func ended(_ id: UInt64, with end: End) {}
  }
}
