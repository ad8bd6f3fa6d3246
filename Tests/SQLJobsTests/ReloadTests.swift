import Ledger
import Postgres
import Settings
import Synchronization
import Testing
import TestKit
import TestSupport

@testable import JobKit
@testable import Runner
@testable import SQLJobs

@Suite("A text of the settings that is changed while a run goes on")
struct ReloadTests {
  private static func job(where condition: String) throws -> Described {
    try .carts(
      """
      where = "\(condition)"
      set = "touches = touches + 1 / (cart_id - 15)"
      chunk = 10
      tries = 2
      """, kind: "set")
  }

  /// Takes on another text, and then does what the first says.
  private struct Reloading: Job {
    let job: Described
    let reload: @Sendable () throws -> Void
    var definition: JobDefinition { job.definition }

    func run(_ context: inout JobContext) throws -> Outcome {
      try reload()
      return try job.run(&context)
    }
  }

  @Test func `leaves the part that runs its own, and is that of the next run`() throws {
    let stage = try Stage.shop(carts: 10)
    let (old, new) = (try Self.job(where: "cart_id <= 3"), try Self.job(where: "cart_id <= 2"))
    let scheduled = try ScheduledJob(of: new.definition, in: stage.zones)
    let shared = Mutex<WorkerPool?>(nil)
    let reloading = Reloading(job: old) { [scheduled] in
      shared.withLock { $0 }?.renew([scheduled], code: [new], zones: nil, settingsHash: nil)
    }
    let pool = WorkerPool(
      name: DaemonID(host: "host", process: 1, version: "1", settingsHash: "1", word: 1),
      jobs: [.init(job: reloading, policies: old.definition.policies)], zones: stage.zones)
    shared.withLock { $0 = pool }
    defer { shared.withLock { $0 = nil } }
    var worker = Worker(of: pool, clock: stage.clock, on: try stage.database.connect())

    var changed: [Int] = []
    for _ in 0..<2 {
      let run = try stage.enter(old)
      _ = try worker.work()
      changed.append(try stage.record(of: run).counters["changed"])
      try stage.pass(.seconds(60))
    }

    #expect(changed == [3, 2])
  }

  @Test func `is not what a part goes on with that has written rows by another`() throws {
    let stage = try Stage.shop(carts: 30)
    try stage.connection.run("CREATE TABLE shop.divisor AS SELECT 0 AS n")
    func job(where condition: String) throws -> Described {
      try .carts(
        """
        where = "\(condition)" # a remark that says \"no\"
        set = "touches = touches + 1 / coalesce((SELECT n FROM shop.divisor WHERE cart_id > 10), 1)"
        count = "state"
        explain = "cart {cart_id} — a \\"cart\\""
        most_share = 0.75
        chunk = 10
        tries = 2
        """, kind: "set")
    }

    let run = try stage.run(try job(where: "cart_id <= 20"))
    try stage.connection.run("UPDATE shop.divisor SET n = 1")
    try stage.pass(.seconds(3600))
    try stage.goOn(with: try job(where: "true"))

    #expect(run.counters["changed"] == 10)
    let end = try stage.record(of: run.id)
    #expect(end.state == .succeeded && end.counters["changed"] == 20)
    #expect(try stage.count("SELECT count(*) FROM shop.cart WHERE touches = 1") == 20)
  }

  @Test func `is not that of a part that begins when another has written rows`() throws {
    let stage = try Stage.shop(carts: 5000)
    func job(where condition: String) throws -> Described {
      try .carts(
        "where = \"\(condition)\"\nset = \"touches = touches + 1\"\nparts = 2", kind: "set")
    }
    let (old, new) = (try job(where: "cart_id <= 3000"), try job(where: "true"))
    let run = try stage.enter(old)
    var one = try stage.worker(1, .init(job: old, policies: old.definition.policies))
    var other = try stage.worker(2, .init(job: new, policies: new.definition.policies))

    _ = try one.work()
    _ = try other.work()

    #expect(try stage.record(of: run).counters["changed"] == 3000)
    #expect(try stage.count("SELECT count(*) FROM shop.cart WHERE touches = 1") == 3000)
    #expect(try stage.count("SELECT count(*) FROM jobkit.job_text") == 1)
  }

  @Test func `is what a part goes on with that has written nothing yet`() throws {
    let stage = try Stage.shop(carts: 20)

    let run = try stage.run(try Self.job(where: "cart_id BETWEEN 14 AND 16"))
    try stage.pass(.seconds(3600))
    try stage.goOn(with: try Self.job(where: "cart_id <> 15"))

    #expect(run.counters["changed"] == 0)
    #expect(try stage.record(of: run.id).counters["changed"] == 19)
  }

  @Test func `leaves no text behind when the ledger has no run by it any more`() throws {
    let stage = try Stage.shop(carts: 10)
    for condition in ["cart_id <= 3", "cart_id <= 2"] {
      _ = try stage.run(try Self.job(where: condition))
      try stage.pass(.seconds(60))
    }

    try stage.connection.run("DELETE FROM jobkit.run WHERE id = (SELECT min(id) FROM jobkit.run)")
    try Ledger.forgetTexts(on: stage.connection)

    #expect(
      try stage.texts("SELECT substring(text FROM 'cart_id <= .') FROM jobkit.job_text")
        == ["cart_id <= 2"])
  }

  @Test func `is that of the part whose chunk is committed first, where two begin at once`() throws
  {
    let stage = try Stage.shop(carts: 10)
    let (mine, other) = (try Self.job(where: "cart_id <= 3"), try Self.job(where: "cart_id <= 2"))
    let run = try stage.enter(mine)
    let text = try #require(other.job as? any SQLJob).text
    let faster = try stage.database.connect()
    try faster.run("BEGIN")
    _ = try LedgerMemory(of: "old_carts", run: run).keep(
      RunBasis(text: text, seenIn: nil), on: faster)

    let (url, clock) = (stage.database.url, stage.clock)
    let slower = TestThread { try Described.work(at: run, with: mine, of: url, clock) }
    try stage.awaitLock()
    try faster.run("COMMIT")

    #expect(try slower.value() == "succeeded: changed 2 rows of shop.cart")
  }
}
