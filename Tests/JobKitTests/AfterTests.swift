@testable import JobKit
@testable import Ledger
@testable import Runner

import LocalTime
import Postgres
import TestKit
import TestSupport
import Testing

/// Jobs whose ticks come after those of other jobs.
@Suite("Ticks that wait for other jobs")
struct AfterTests {
  private let stage: Stage

  init() throws { stage = try Stage(at: "2026-03-01T10:00:00Z") }

  private func chain(_ after: After = After(["load"])) throws -> [ScheduledJob] {
    [try .sample("load"), try .sample("settle", after: after)]
  }

  @Test func `a tick waits until the job before it has succeeded for the same moment`() throws {
    let chain = try chain()
    var scheduler = try stage.scheduler(chain[0], chain[1])

    try stage.tick(&scheduler)
    let before = try stage.decide(chain)
    let early = try stage.claim(of: ["settle"])
    try stage.succeed("load")
    let after = try stage.decide(chain)

    #expect(before == [] && early.isEmpty)
    #expect(after == ["settle due"])
    #expect(try stage.claim(of: ["settle"]).map(\.scheduledFor) == [stage.now])
  }

  @Test func `a chain of three runs in its order, whoever is asked first`() throws {
    let chain = [
      try ScheduledJob.sample("report", after: After(["settle"])),
      try .sample("settle", after: After(["load"])), try .sample("load"),
    ]
    var scheduler = try stage.scheduler(chain[0], chain[1], chain[2])
    var order: [String] = []

    try stage.tick(&scheduler)
    for _ in 1...3 {
      _ = try stage.decide(chain)
      let parts = try stage.claim(4, of: ["report", "settle", "load"])
      order += parts.map(\.job.text)
      for part in parts { try stage.finish(part) }
    }

    #expect(order == ["load", "settle", "report"])
    #expect(try stage.runs(of: "report") == ["2026-03-01T10:01:00Z succeeded"])
  }

  @Test func `what a job before it skips is skipped all along the chain, with the cause`() throws {
    let chain = [
      try ScheduledJob.sample("load"), try .sample("settle", after: After(["load"])),
      try .sample("report", after: After(["settle"])),
    ]
    var scheduler = try stage.scheduler(chain[0], chain[1], chain[2])
    try stage.tick(&scheduler)
    try stage.finish(try #require(try stage.claim(of: ["load"]).first), as: .failed("a mishap"))

    let first = try stage.decide(chain)
    let second = try stage.decide(chain)

    #expect(first == ["settle skipped: it comes after load, whose run 1 failed"])
    #expect(second == ["report skipped: it comes after settle, whose run 2 was skipped"])
    #expect(try stage.decide(chain) == [])
  }

  @Test func `for a moment counts the newest tick at or before it`() throws {
    let load = try ScheduledJob.sample("load", every: .seconds(300))
    let settle = try ScheduledJob.sample("settle", after: After(["load"]))
    var scheduler = try stage.scheduler(load, settle)

    try stage.pass(.seconds(240))
    try stage.tick(&scheduler)
    try stage.succeed("load")
    let same = try stage.decide([load, settle])
    try stage.succeed("settle")
    try stage.tick(&scheduler)

    #expect(same.contains("settle due"))
    #expect(try stage.decide([load, settle]) == ["settle due"])
    #expect(
      try stage.text(
        """
        SELECT ((max(after_ticks))[1] AT TIME ZONE 'UTC')::text FROM jobkit.run
        """) == "2026-03-01 10:05:00")
  }

  @Test func `a schedule that began after that tick lets the one before it have its say`() throws {
    let settle = try ScheduledJob.sample("settle", after: After(["load"]))
    var scheduler = try stage.scheduler(.sample("load", every: .seconds(420)), settle)
    try stage.pass(.seconds(400))
    try stage.tick(&scheduler)
    try stage.succeed("load")
    // By the new one the newest tick would be that of 10:06, of which there is no row.
    let load = try ScheduledJob.sample("load", every: .seconds(360))
    _ = try scheduler.change(to: [load, settle], at: stage.now, on: stage.connection)
    _ = try stage.decide([load, settle])
    try stage.succeed("settle")

    try stage.tick(&scheduler)

    #expect(try stage.decide([load, settle]) == ["settle due"])
  }

  @Test func `a daemon that begins with a new schedule lets the old one have its say, too`() throws
  {
    let settle = try ScheduledJob.sample("settle", after: After(["load"]))
    var old = try stage.scheduler(.sample("load", every: .seconds(420)), settle)
    try stage.tick(&old)
    try stage.succeed("load")
    _ = try stage.decide([settle])
    try stage.succeed("settle")

    // By the new one the newest tick at 10:07 would be that of 10:06, of which there is no row.
    try stage.pass(.seconds(365))
    var new = try stage.scheduler(.sample("load", every: .seconds(360)), settle)
    _ = try new.pass(at: stage.now, on: stage.connection)

    #expect(try stage.decide([settle]) == ["settle due"])
  }

  @Test func `a tick of before the other job was known, or that is forgotten, is none`() throws {
    let chain = try chain()
    var scheduler = try stage.scheduler(chain[0], chain[1])
    try stage.tick(&scheduler)
    try stage.connection.run("DELETE FROM jobkit.run WHERE job = 'load'")

    #expect(
      try stage.decide(chain) == [
        "settle skipped: it comes after load, which has no run of 2026-03-01T10:01:00Z"
      ])
  }

  @Test func `an earlier success says nothing of a tick that is forgotten`() throws {
    let chain = try chain()
    var scheduler = try stage.scheduler(chain[0], chain[1])
    try stage.tick(&scheduler)
    try stage.succeed("load")
    _ = try stage.decide(chain)
    try stage.succeed("settle")
    try stage.tick(&scheduler)
    try stage.connection.run("DELETE FROM jobkit.run WHERE job = 'load' AND state = 'due'")

    #expect(
      try stage.decide(chain) == [
        "settle skipped: it comes after load, which has no run of 2026-03-01T10:02:00Z"
      ])
  }

  @Test
  func `a tick has as long to start as any other, from when it is due, and is put off as one`()
    throws
  {
    let load = try ScheduledJob.sample("load")
    let settle = try ScheduledJob.sample("settle", after: After(["load"]), parts: 3) {
      ($0.startWithin, $0.jitter, $0.priority) = (.seconds(600), .seconds(50), 7)
    }
    var scheduler = try stage.scheduler(load, settle)
    try stage.tick(&scheduler)
    try stage.succeed("load")

    #expect(try stage.decide([load, settle]) == ["settle due"])

    #expect(
      try stage.text(
        """
        SELECT concat_ws(' ', start_before - scheduled_for = \(settle.delay / .seconds(1)) * interval '1 second'
            + interval '10 minutes', min(not_before) - scheduled_for
            = \(settle.delay / .seconds(1)) * interval '1 second', count(*), min(part.priority), parts_left)
        FROM jobkit.run JOIN jobkit.part ON run = id WHERE run.job = 'settle' GROUP BY id
        """) == "t t 3 7 3")
    #expect(try stage.contradictions() == [])
  }

  @Test func `a tick that has waited is late from when it is due, and not before`() throws {
    let chain = try chain()
    var scheduler = try stage.scheduler(chain[0], chain[1])
    try stage.tick(&scheduler)
    let part = try #require(try stage.claim(of: ["load"]).first)
    try stage.pass(.seconds(3600))
    let waiting = try #require(try stage.health(of: "settle"))
    try stage.finish(part)
    _ = try stage.decide(chain)
    let due = try #require(try stage.health(of: "settle"))

    #expect(waiting.waiting == nil)
    #expect(waiting.awaiting?.since == (try Instant("2026-03-01T10:01:00Z")))
    #expect(waiting.awaiting?.until == (try Instant("2026-03-01T16:01:00Z")))
    #expect(due.awaiting == nil)
    #expect(due.waiting?.since == (try stage.now))
    #expect(
      try Ledger.activity(
        from: stage.now - .seconds(7200), to: stage.now + .seconds(1), on: stage.connection)[
          "settle"]?.late == 0)
  }
}

extension Stage {
  /// Lets a minute pass, and a scheduler decide.
  func tick(_ scheduler: inout Scheduler) throws {
    try pass(.seconds(60))
    _ = try scheduler.pass(at: now, on: connection)
  }

  /// Lets a daemon decide what waits; `settle due`, or `settle skipped: why`, for each.
  func decide(_ jobs: [ScheduledJob]) throws -> [String] {
    var (decided, place) = ([Ledger.DecidedTick](), Ledger.WaitingPlace?.none)
    repeat {
      decided += try Ledger.decideWaiting(jobs, after: &place, at: now, on: connection)
    } while place != nil
    return decided.map { tick in
      "\(tick.job) \(tick.state)" + (tick.reason.map { ": \($0)" } ?? "")
    }
  }

  /// How a job stands.
  fileprivate func health(of job: JobName) throws -> HealthSnapshot.Job? {
    try Ledger.healthSnapshot(at: now, on: connection).jobs.first { $0.name == job }
  }

  /// Lets what is due of a job first succeed.
  func succeed(_ job: JobName) throws {
    try finish(try #require(try claim(of: [job]).first))
  }
}
