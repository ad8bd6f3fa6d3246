@testable import JobKit
@testable import Ledger
@testable import Runner

import LocalTime
import Postgres
import TestKit
import TestSupport
import Testing

/// A server that has forgotten its latest commits, as after a crash, while a pooler kept the connections of
/// the workers: these notice nothing of it by themselves.
@Suite("Forgotten commits")
struct ForgottenCommitTests {
  private func stage(parts: Int = 1) throws -> Stage {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.connection.run("CREATE TABLE effect (n bigint)")
    try stage.enter(parts: parts)
    return stage
  }

  private func effects(_ stage: Stage) throws -> String {
    try stage.text("SELECT coalesce(string_agg(n::text, ' ' ORDER BY n), '') FROM effect")
  }

  /// A job that writes the numbers 1 to 3, one in each chunk, and hears of each before its chunk ends.
  private func counting(
    _ listen: @escaping @Sendable (Int) throws -> Void = { _ in }
  ) -> WorkerPool.Member {
    let job = Rehearsed { context in
      try context.inChunks(isDurable: false) { connection, progress in
        progress.done += 1
        progress.cursor = "\(progress.done)"
        try connection.run("INSERT INTO effect VALUES (\(progress.done))")
        try listen(progress.done)
        return progress.done == 3 ? .finished : .more
      }
      return Outcome("counted")
    }
    return WorkerPool.Member(job: job, policies: Policies())
  }

  @Test func `a chunk behind a forgotten one is refused, and the part goes on from what is saved`()
    throws
  {
    let stage = try stage()
    let database = stage.database
    var worker = try stage.worker(
      1,
      counting { number in
        guard number == 2 else { return }
        try database.forgetChunks()
      })
    var heir = try stage.worker(2, counting())

    let end = try worker.work().first?.end
    let isLetGo = worker.activeParts.isEmpty
    let left = try "\(stage.state()): \(effects(stage))"
    try stage.pass(.seconds(16))
    let rescued = try stage.rescue().count
    _ = try heir.work()

    let isLost = if case .lost = end { true } else { false }
    #expect(isLost && isLetGo && rescued == 1)
    #expect(left == "running running: ")
    #expect(try effects(stage) == "1 2 3")
    #expect(try stage.state() == "succeeded succeeded")
  }

  @Test(arguments: [1, 2])
  func `a part whose last chunk is forgotten has not succeeded, alone or in a batch`(
    parts: Int
  ) throws {
    let stage = try stage(parts: parts)
    let (database, tries) = (stage.database, Counter())
    let job = Rehearsed { context in
      let number = context.part.number
      try context.inChunks(isDurable: false) { connection, progress in
        try connection.run("INSERT INTO effect VALUES (\(number))")
        progress.counters.count("effects")
        return .finished
      }
      if tries.next() == parts { try database.forgetChunks() }
      return Outcome("done")
    }
    var policies = Policies()
    policies.batch = parts
    var worker = try stage.worker(1, WorkerPool.Member(job: job, policies: policies))

    let ends = try worker.work().map(\.end)
    try stage.pass(.seconds(16))
    let rescued = try stage.rescue().count
    while try !worker.work().isEmpty {}

    #expect(ends.count { if case .lost = $0 { true } else { false } } == parts)
    #expect(rescued == parts)
    #expect(try stage.contradictions().isEmpty)
    #expect(try stage.state().hasPrefix("succeeded succeeded"))
    #expect(try effects(stage) == (0..<parts).map { "\($0)" }.joined(separator: " "))
  }

  @Test func `a part is given back whatever the server has forgotten of it`() throws {
    let stage = try stage()
    let part = try stage.claimOne()
    let progress = Progress(cursor: "1", done: 1)
    try Ledger.save(progress, under: part.claim, on: stage.connection)
    try stage.database.forgetChunks()

    try Ledger.release(
      part.claim.after(progress), because: .failed("no"), after: .zero, at: stage.clock.reading,
      on: stage.connection)

    #expect(try stage.state() == "running due")
    #expect(try stage.claimOne(by: 2).saved == part.saved)
  }

  @Test func `of two workers that were given one claim the first is refused everything`() throws {
    let stage = try stage()
    let first = try stage.claimOne(by: 1)
    try stage.database.forgetClaim()
    let second = try stage.claimOne(by: 2)

    let refused = FenceLost(fence: first.fence)
    #expect(second.fence == first.fence)
    #expect(throws: refused) {
      try Ledger.save(Progress(cursor: "1"), under: first.claim, on: stage.connection)
    }
    #expect(throws: refused) { try stage.finish(first) }
    #expect(throws: refused) { try stage.finish(first, as: .failed("no")) }
    #expect(throws: refused) { try stage.release(first) }
    #expect(throws: refused) {
      try Ledger.hold(
        first.claim, planned: 9, because: "too many", at: stage.clock.reading,
        on: stage.connection)
    }
    let ended = try Ledger.finish([first.claim], at: stage.clock.reading, on: stage.connection)
    #expect(ended.ours.isEmpty)
    try stage.finish(second)
    #expect(try stage.state() == "succeeded succeeded")
  }

  @Test func `of two workers of one process with one claim only one writes a chunk`() throws {
    let stage = try stage()
    let first = try stage.claimOne()
    try stage.database.forgetClaim()
    let second = try stage.claimOne()

    try Ledger.save(Progress(cursor: "2"), under: second.claim, on: stage.connection)

    #expect(second.fence == first.fence)
    #expect(throws: FenceLost(fence: first.fence)) {
      try Ledger.save(Progress(cursor: "1"), under: first.claim, on: stage.connection)
    }
    #expect(try stage.text("SELECT cursor FROM jobkit.part") == "2")
  }

  @Test func `of two workers of one process with one claim the first is cut off`() {
    let (activeParts, fence) = (ActiveParts(), Fence(run: 1, part: 0, epoch: 1))
    let (first, second) = (StopSignal(), StopSignal())

    activeParts.add(fence, stop: first)
    activeParts.add(fence, stop: second)
    activeParts.remove(fence, stop: first)

    #expect(first.asked == .fenceLost && second.asked == nil)
    #expect(activeParts.fences == [fence])
  }
}

extension TestDatabase {
  /// Takes back all that was done since the claim.
  fileprivate func forgetChunks() throws {
    try connect().run(
      script: """
        DELETE FROM effect;
        UPDATE jobkit.part SET cursor = NULL, done = 0, counter_names = '{}', counter_values = '{}'
        """)
  }

  /// Takes back the claim, as if nobody had ever had the part.
  fileprivate func forgetClaim() throws {
    try connect().run(
      script: """
        UPDATE jobkit.part
        SET state = 'due', epoch = epoch - 1, daemon = NULL, lease_until = NULL, started_at = NULL,
          began_at = NULL, tries = tries - 1, last_daemon = NULL, last_epoch = NULL;
        UPDATE jobkit.run SET state = 'due', started_at = NULL
        """)
  }
}
