@testable import JobKit
@testable import Ledger
@testable import Runner

import LocalTime
import Postgres
import TestKit
import TestSupport
import Testing

@Suite("Worker")
struct WorkerTests {
  /// A job that writes the numbers up to `last`, one in each chunk, and hears of each before its end.
  private func counting(
    to last: Int, policies: Policies = Policies(),
    _ listen: @escaping @Sendable (Int) throws -> Void = { _ in }
  ) -> WorkerPool.Member {
    WorkerPool.Member(
      job: Rehearsed { context in
        try context.inChunks { connection, progress in
          let next = (progress.cursor.flatMap { Int($0) } ?? 0) + 1
          try connection.run("INSERT INTO effect VALUES (\(next))")
          progress.cursor = "\(next)"
          progress.done = next
          progress.counters.count("effects")
          try listen(next)
          return next == last ? .finished : .more
        }
        return Outcome("counted")
      }, policies: policies)
  }

  private func stage() throws -> Stage {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.connection.run("CREATE TABLE effect (n bigint)")
    try stage.enter()
    return stage
  }

  /// The numbers that were written, in the order in which they were.
  private func effects(_ stage: Stage) throws -> String {
    try stage.text("SELECT coalesce(string_agg(n::text, ' '), '') FROM effect")
  }

  @Test func `a due part is run once, chunk by chunk`() throws {
    let stage = try stage()
    var worker = try stage.worker(1, counting(to: 3))

    let done = try worker.work().first
    let nothing = try worker.work().first

    #expect(done?.progress.counters["effects"] == 3)
    #expect(nothing == nil)
    #expect(try stage.state() == "succeeded succeeded")
    #expect(try effects(stage) == "1 2 3")
  }

  @Test func `what fails is tried again after a wait, from the last chunk on`() throws {
    let stage = try stage()
    let failures = Counter()
    var worker = try stage.worker(
      1, counting(to: 3) { if $0 == 2, failures.next() == 1 { throw Mishap() } })

    let first = try worker.work().first
    let early = try worker.work().first
    try stage.pass(.seconds(11))
    let second = try worker.work().first

    guard case .retry("a mishap", after: let wait) = first?.end else {
      Issue.record("\(String(describing: first?.end))")
      return
    }
    #expect((Duration.milliseconds(9500)...Duration.milliseconds(10_500)).contains(wait))
    #expect(early == nil && second?.part.failures == 1 && second?.part.saved.cursor == "1")
    #expect(try effects(stage) == "1 2 3")
    #expect(try stage.state() == "succeeded succeeded")
  }

  @Test func `a part is given up after as many tries as it has`() throws {
    let stage = try stage()
    var policies = Policies()
    policies.retry = Retry(tries: 3)
    var worker = try stage.worker(1, counting(to: 3, policies: policies) { _ in throw Mishap() })

    for _ in 1...2 {
      #expect(try !worker.work().isEmpty)
      try stage.pass(.seconds(3600))
    }
    let last = try worker.work().first

    guard case .failed("a mishap") = last?.end else {
      Issue.record("\(String(describing: last?.end))")
      return
    }
    #expect(try stage.state() == "failed failed")
    #expect(try stage.count("SELECT failures::bigint FROM jobkit.part") == 3)
    #expect(try stage.text("SELECT error FROM jobkit.part") == "a mishap")
    #expect(try effects(stage) == "")
  }

  @Test func `the chunk of a zombie is rolled back, and its end is not written`() throws {
    let stage = try stage()
    let (database, clock) = (stage.database, stage.clock)
    var heir = try stage.worker(2, counting(to: 3))
    var zombie = try stage.worker(
      1,
      counting(to: 3) { number in
        guard number == 2 else { return }
        clock.turn(to: try Instant("2026-03-01T10:01:00Z"))
        let other = try database.connect()
        let now = try clock.now(on: other)
        _ = try Ledger.rescue(["sample"], at: now, on: other)
        let claimed = try Ledger.claim(
          1, of: ["sample"], for: .sample(2), lease: .seconds(1), at: clock.reading, on: other)
        #expect(claimed.first?.saved.cursor == "1")
      })

    let lost = try zombie.work().first
    try stage.pass(.seconds(60))
    #expect(try stage.rescue().count == 1)
    _ = try heir.work()

    guard case .lost(let why) = lost?.end else {
      Issue.record("\(String(describing: lost?.end))")
      return
    }
    #expect(why.hasPrefix("part 0 of run 1 is no longer ours (epoch 1)"))
    #expect(try effects(stage) == "1 2 3")
    #expect(try stage.state() == "succeeded succeeded")
  }

  @Test func `a worker whose part was taken after its last chunk writes no end`() throws {
    let stage = try stage()
    let database = stage.database
    let member = WorkerPool.Member(
      job: Rehearsed { _ in
        try database.connect().run("UPDATE jobkit.part SET epoch = epoch + 1")
        return Outcome("done")
      }, policies: Policies())
    var worker = try stage.worker(1, member)

    let end = try worker.work().first?.end

    guard case .lost = end else {
      Issue.record("\(String(describing: end))")
      return
    }
    #expect(try stage.state() == "running running")
  }

  @Test func `a cancelled run stops at its next chunk and keeps what it has done`() throws {
    let stage = try stage()
    let pool = Box<ActiveParts>()
    var worker = try stage.worker(
      1, counting(to: 9) { if $0 == 2 { pool.value?.ask(.cancelled) } })
    pool.value = worker.activeParts

    let end = try worker.work().first?.end

    guard case .cancelled = end else {
      Issue.record("\(String(describing: end))")
      return
    }
    #expect(try effects(stage) == "1 2")
    #expect(try stage.state() == "cancelled (cancelled by the job itself) cancelled")
  }

  @Test func `a drained part is released at a chunk, which is no failure`() throws {
    let stage = try stage()
    let pool = Box<ActiveParts>()
    var drained = try stage.worker(
      1, counting(to: 4) { if $0 == 2 { pool.value?.ask(.drained) } })
    pool.value = drained.activeParts

    let end = try drained.work().first?.end
    var heir = try stage.worker(2, counting(to: 4))
    let second = try heir.work().first

    guard case .released = end else {
      Issue.record("\(String(describing: end))")
      return
    }
    #expect(second?.part.saved.cursor == "2")
    #expect(second?.part.failures == 0 && second?.part.workerLosses == 0)
    #expect(try effects(stage) == "1 2 3 4")
  }

  @Test func `a part that is claimed while the daemon drains does not begin`() throws {
    let stage = try stage()
    var worker = try stage.worker(1, counting(to: 3))
    worker.activeParts.ask(.drained)

    let end = try worker.work().first?.end

    guard case .released = end else {
      Issue.record("\(String(describing: end))")
      return
    }
    #expect(try effects(stage) == "")
    #expect(try stage.state() == "running due")
  }

  @Test func `a statement that is cut off is rolled back and the part released`() throws {
    let stage = try stage()
    let (database, pool) = (stage.database, Box<ActiveParts>())
    let member = WorkerPool.Member(
      job: Rehearsed { context in
        try context.inChunks { connection, _ in
          try connection.run("INSERT INTO effect VALUES (1)")
          _ = TestThread { try Self.cutWhenAsleep(pool, on: database.connect()) }
          try connection.run("SELECT pg_sleep(60)")
          return .finished
        }
        return Outcome("slept")
      }, policies: Policies())
    var worker = try stage.worker(1, member)
    pool.value = worker.activeParts

    let end = try worker.work().first?.end

    guard case .released = end else {
      Issue.record("\(String(describing: end))")
      return
    }
    #expect(try effects(stage) == "")
    #expect(try stage.state() == "running due")
  }

  private static func cutWhenAsleep(
    _ pool: Box<ActiveParts>, on connection: borrowing Connection
  ) throws {
    try eventually {
      try connection.run(
        "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%')"
      ).only[0]
    }
    pool.value?.cut(.drained)
  }
}

/// What goes wrong in a rehearsed job.
private struct Mishap: Error, CustomStringConvertible {
  var description: String { "a mishap" }
}
