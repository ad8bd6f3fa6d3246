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
  private func pool(through transport: any PushTransport, word: UInt32 = 1) -> WorkerPool {
    let job = DeliverPushes(through: transport, saying: .builtIn, keeping: UnwrittenReports())
    let name = DaemonID(host: "host", process: 1, version: "1", settingsHash: "1", word: word)
    let member = WorkerPool.Member(job: job, policies: job.definition.policies)
    return WorkerPool(name: name, jobs: [member], zones: scene.stage.zones)
  }

  private func enterRun() throws {
    let definition = JobDefinition.deliverPushes
    let request = Ledger.RunRequest(
      definition.name, for: try scene.stage.now, parts: 1, policies: definition.policies,
      by: "test")
    _ = try Ledger.enter(request, at: scene.stage.now, on: scene.stage.connection)
  }

  /// Works once, with a connection of its own; returns how that ended.
  private func work(_ pool: WorkerPool) throws -> String {
    var worker = Worker(
      of: pool, clock: scene.stage.clock, on: try scene.stage.database.connect())
    return "\(try #require(try worker.work().first?.end))"
  }

  private func loseLease() throws {
    try scene.stage.pass(.seconds(60))
    _ = try Ledger.rescue(
      [JobDefinition.deliverPushes.name], at: scene.stage.now, on: scene.stage.connection)
  }

  @Test func `what certainly did not leave waits again, though another has written it off`() throws
  {
    let url = scene.stage.database.url
    let isFirst = Mutex(true)
    let postbox = postbox { _ in
      let isFirst = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      guard isFirst else { return .sent }
      _ = try? Connection(to: Server(url)).run("UPDATE jobkit.part SET epoch = epoch + 1")
      return .notSent("no connection had room for the request in time", wait: .seconds(5))
    }
    let frozen = pool(through: postbox)
    try enterRun()

    let end = try work(frozen)
    try loseLease()
    _ = try work(pool(through: Postbox(), word: 2))
    let writtenOff = try scene.states()
    try enterRun()
    _ = try work(frozen)

    #expect(end.hasPrefix("part 0 of run 1 is no longer ours"))
    #expect(writtenOff == "uncertain 3")
    #expect(postbox.ids == [1, 2, 3, 1].map { "\($0)/2026-03-01" })
    #expect(try scene.state(of: 1) == "sent" && scene.states() == "sent 1, uncertain 2")
  }

  @Test func `a deliverer that has lost its part leaves nothing in the journal`() throws {
    let url = scene.stage.database.url
    let postbox = postbox { _ in
      _ = try? Connection(to: Server(url)).run("UPDATE jobkit.part SET epoch = epoch + 1")
      return .sent
    }
    try enterRun()

    _ = try work(pool(through: postbox))

    #expect(postbox.ids.count == 3 && journal.figures.used == 0)
  }

  @Test func `what is written when the database is back leaves nothing in the journal`() throws {
    let (url, process) = (scene.stage.database.url, scene.stage.connection.backendProcess)
    let postbox = postbox { _ in
      _ = try? Connection(to: Server(url)).run(
        """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid NOT IN (pg_backend_pid(), \(process))
        """)
      return .sent
    }
    let pool = pool(through: postbox)
    try enterRun()

    _ = try work(pool)
    let meanwhile = journal.figures.used
    try loseLease()
    _ = try work(pool)

    // Its part and three pushes: of none of these may it be said that it never left.
    #expect(meanwhile == 4 && journal.figures.used == 0)
    #expect(try scene.states() == "sent 3")
  }
}
