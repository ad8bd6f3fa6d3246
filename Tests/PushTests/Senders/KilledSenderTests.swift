import Glibc
import HTTP2
import LocalTime
import Synchronization
import TestSupport
import Testing

@testable import Push

/// What a server has of a process that was killed, against what the journal of that process says.
@Suite("Pushes of a process that is killed")
struct KilledSenderTests {
  private let folder: ScratchFolder
  private let server: StrictServer

  init() throws {
    folder = try ScratchFolder()
    server = try StrictServer("none", answersAfter: 3_600_000, in: folder)
  }

  @Test(arguments: [1, 2, 3])
  func `before some are marked: the server has all that the journal calls left, and no other`(
    lot: Int
  ) async throws {
    try await sendAndDie(atLot: lot, marked: false)

    let (left, arrived) = (try left(), try arrived())
    #expect(arrived == left)
    #expect(left.isEmpty == (lot == 1))
  }

  @Test func `after some are marked and before they are written: these alone are lost`()
    async throws
  {
    try await sendAndDie(atLot: 2, marked: true)

    let (left, arrived) = (try left(), try arrived())
    #expect(!arrived.isEmpty && arrived.isSubset(of: left))
    #expect((1...8).contains(left.count - arrived.count))
  }

  /// Sends forty pushes in a process that is killed when the journal hears of the first, second… of those that leave
  /// together.
  private func sendAndDie(atLot lot: Int, marked: Bool) async throws {
    let (path, port, authorities) = (folder.path, server.port, server.authorities)
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [
        path = path as String, port = port as Int, authorities = authorities as String,
        lot = lot as Int, marked = marked as Bool
      ] in
      let journal = try PushJournal(in: path, named: "killed")
      journal.attend("4711/0#1")
      let requests = RequestJournal(journal)
      var policy = PoolPolicy()
      policy.provesTokens = false
      let pool = ConnectionPool(
        to: StrictServer.origin(port: port, authorities: authorities), policy,
        observer: Killing(telling: requests, atLot: lot, marked: marked))
      let tokens = AppleTokenSource(AppleTokens { _ throws(SigningKeyError) in Secret("token") })
      let sender = StreamSender(
        to: AppleProvider(AppleTerms(topic: "org.example"), tokens: tokens), by: pool,
        rate: PushRate(most: 1000, ramp: .zero), journal: requests,
        now: { LocalTime.Instant(secondsSince1970: 1_773_000_000) })
      for push in Self.pushes { sender.send(push) { _ in } }
      while true { pause() }
    }
  }

  private static let pushes = StrictServer.pushes(40, claimedBy: "4711/0#1")

  /// What the journal calls left, as the server knows it; the rest it must call never left.
  private func left() throws -> Set<String> {
    let remains = try #require(JournalRemains.all(in: folder.path).first)
    let fates = Self.pushes.map { ($0, remains.fate(of: $0.id, claimedBy: "4711/0#1")) }
    #expect(fates.allSatisfy { $0.1 == .left || $0.1 == .neverLeft })
    return Set(try fates.filter { $0.1 == .left }.map { try $0.0.uuid })
  }

  /// What the server has.
  private func arrived() throws -> Set<String> {
    Set(try server.end().matches(of: #/"([0-9a-f-]{36})": 1\b/#).map { String($0.output.1) })
  }

  /// Kills this process when it tells a journal of pushes that leave, before or after these are marked.
  private final class Killing: RequestObserver {
    private let journal: RequestJournal
    private let lot: Int
    private let marks: Bool
    private let count = Atomic(0)

    init(telling journal: RequestJournal, atLot lot: Int, marked: Bool) {
      (self.journal, self.lot, marks) = (journal, lot, marked)
    }

    func leave(_ ids: [UInt64], if mayLeave: () -> Bool) -> Bool {
      let isLast = count.wrappingAdd(1, ordering: .relaxed).newValue == lot
      if isLast, !marks { kill(getpid(), SIGKILL) }
      let leave = journal.leave(ids, if: mayLeave)
      if isLast { kill(getpid(), SIGKILL) }
      return leave
    }

    func returns(_ id: UInt64) {}
    func ended(_ id: UInt64, with end: End) {}
  }
}
