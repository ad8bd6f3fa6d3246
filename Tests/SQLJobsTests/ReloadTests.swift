import JobKit
import Ledger
import Postgres
import Settings
import Synchronization
import Testing
import TestKit
import TestSupport

@testable import Runner

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

    let run = try stage.run(try Self.job(where: "cart_id <= 20"))
    try stage.pass(.seconds(3600))
    try stage.goOn(with: try Self.job(where: "cart_id <> 15"))

    let end = try stage.record(of: run.id)
    #expect(end.state == .failed && end.counters["changed"] == 10)
    #expect(
      end.error == "the part began with another text of [jobs.old_carts] and does not go on with"
        + " this one: 'worker run old_carts' does the work by this one, from its beginning")
  }

  @Test func `is what a part goes on with that has written nothing yet`() throws {
    let stage = try Stage.shop(carts: 20)

    let run = try stage.run(try Self.job(where: "cart_id BETWEEN 14 AND 16"))
    try stage.pass(.seconds(3600))
    try stage.goOn(with: try Self.job(where: "cart_id <> 15"))

    #expect(run.counters["changed"] == 0)
    #expect(try stage.record(of: run.id).counters["changed"] == 19)
  }
}
