@testable import JobKit
@testable import Ledger
@testable import Runner
@testable import Jobs

import LocalTime
import Postgres
import Push
import Synchronization
import TestKit
import TestSupport
import Testing

/// What becomes of pushes of a deliverer that comes back, while others may have written them off.
@Suite("Deliverers that come back")
struct WrittenOffPushTests {
  private let scene: PushScene
  private let folder: ScratchFolder
  private let journal: PushJournal

  init() throws {
    scene = try PushScene()
    try scene.addDue(1...3)
    folder = try ScratchFolder()
    journal = try PushJournal(in: folder.path, named: "alive", places: 64)
  }

  /// A transport that notes what leaves, and does something else while it does.
  private func postbox(
    _ answer: @escaping @Sendable (PushMessage) -> Delivery
  ) -> Postbox {
    Postbox(staysInProcess: false, journal: journal) { [journal] push in
      journal.note(.leaving, push.id, of: push.claim)
      return answer(push)
    }
  }

  /// The workers of a process, which keeps what it could not write.
  private func pool(
    through transport: any PushTransport, word: UInt32 = 1,
    stopwatch: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
  ) -> WorkerPool {
    scene.pool(
      DeliverPushes(
        through: transport, saying: .builtIn, keeping: UnwrittenReports(), stopwatch: stopwatch),
      word: word)
  }

  @Test func `what certainly did not leave waits again, though another has written it off`() throws
  {
    let takePart = scene.takePart
    let isFirst = Mutex(true)
    let postbox = postbox { _ in
      let isFirst = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      guard isFirst else { return .sent }
      takePart()
      return .notSent("no connection had room for the request in time", wait: .seconds(5))
    }
    let frozen = pool(through: postbox)
    try scene.enterRun()

    let end = try scene.work(frozen)
    try scene.loseLease()
    _ = try scene.work(pool(through: Postbox(), word: 2))
    let writtenOff = try scene.states()
    try scene.enterRun()
    _ = try scene.work(frozen)

    #expect(end.hasPrefix("part 0 of run 1 is no longer ours"))
    #expect(writtenOff == "uncertain 3")
    #expect(postbox.ids == [1, 2, 3, 1].map { "\($0)/2026-03-01" })
    #expect(try scene.state(of: 1) == "sent" && scene.states() == "sent 1, uncertain 2")
  }

  @Test func `a deliverer that has lost its part leaves nothing in the journal`() throws {
    let takePart = scene.takePart
    let postbox = postbox { _ in
      takePart()
      return .sent
    }
    try scene.enterRun()

    _ = try scene.work(pool(through: postbox))

    #expect(postbox.ids.count == 3 && journal.figures.used == 0)
  }

  @Test func `what is written when the database is back leaves nothing in the journal`() throws {
    let cutOff = scene.cutOff
    let postbox = postbox { _ in
      cutOff()
      return .sent
    }
    let pool = pool(through: postbox)
    try scene.enterRun()

    _ = try scene.work(pool)
    let meanwhile = journal.figures.used
    try scene.loseLease()
    _ = try scene.work(pool)

    // Its part and three pushes: of none of these may it be said that it never left.
    #expect(meanwhile == 4 && journal.figures.used == 0)
    #expect(try scene.states() == "sent 3")
  }

  @Test func `what is written before the database goes away leaves nothing in the journal`() throws
  {
    let cutOff = scene.cutOff
    let looks = Mutex(0)
    let pool = pool(through: postbox { _ in .sent }) {
      let look = looks.withLock { looks in
        looks += 1
        return looks
      }
      // The third look is before what became of two is written, the fourth before the last one is waited for.
      if look == 4 { cutOff() }
      return ContinuousClock.now
    }
    try scene.enterRun()
    // By a session that nobody cuts off.
    try scene.run("BEGIN")
    try scene.run("SELECT FROM learning.notifications WHERE user_id = 3 FOR UPDATE")

    let end = try scene.work(pool)
    try scene.run("COMMIT")

    #expect(end.hasPrefix("failed: lost the connection to Postgres"))
    #expect(try scene.states() == "planned 1, sent 2")
    #expect(journal.figures.used == 0)
  }
}
