@testable import JobKit
@testable import Ledger
@testable import Runner

import LocalTime
import Postgres
import TestKit
import TestSupport
import Testing

/// Ticks that wait for other jobs, beside all else that becomes of ticks and runs.
@Suite("Ticks that wait, beside other runs")
struct WaitingTickTests {
  private let stage: Stage

  init() throws { stage = try Stage(at: "2026-03-01T10:00:00Z") }

  private func chain(_ after: After = After(["load"])) throws -> [ScheduledJob] {
    [try .sample("load"), try .sample("settle", after: after)]
  }

  @Test func `while a tick waits the next one does what overlap says`() throws {
    let chain = try chain()
    var scheduler = try stage.scheduler(chain[0], chain[1])

    try stage.tick(&scheduler)
    try stage.tick(&scheduler)

    #expect(
      try stage.runs(of: "settle") == [
        "2026-03-01T10:01:00Z waiting",
        "2026-03-01T10:02:00Z skipped overlap: an earlier run is not over",
      ])
  }

  @Test(arguments: [60, 86_400])
  func `a tick that has waited for long enough skips none that comes then`(seconds: Int) throws {
    let load = try ScheduledJob.sample("load") { $0.overlap = .allow }
    let settle = try ScheduledJob.sample("settle", after: After(["load"], limit: .seconds(60)))
    var scheduler = try stage.scheduler(load, settle)
    try stage.tick(&scheduler)

    try stage.pass(.seconds(seconds))
    _ = try scheduler.pass(at: stage.now, on: stage.connection)
    _ = try stage.decide([load, settle])

    let runs = try stage.runs(of: "settle")
    #expect(
      runs.first
        == "2026-03-01T10:01:00Z missed it waited for too long for load, whose run 1 is due")
    #expect(runs.last == "\(try stage.now) waiting")
  }

  @Test func `one that runs at the end of its wait still comes before the next one`() throws {
    let chain = try chain(After(["load"], limit: .seconds(60), missing: .run))
    var scheduler = try stage.scheduler(chain[0], chain[1])

    try stage.tick(&scheduler)
    try stage.tick(&scheduler)

    #expect(try stage.decide(chain) == ["settle due"])
    #expect(
      try stage.runs(of: "settle").last
        == "2026-03-01T10:02:00Z skipped overlap: an earlier run is not over")
  }

  @Test func `a tick that is missed names the job that kept it from running`() throws {
    let jobs = [
      try ScheduledJob.sample("one"), try .sample("two"),
      try .sample(
        "settle", after: After(["one", "two"], limit: .seconds(60), failed: .wait, missing: .run)),
    ]
    var scheduler = try stage.scheduler(jobs[0], jobs[1], jobs[2])
    try stage.tick(&scheduler)
    try stage.finish(try #require(try stage.claim(of: ["two"]).first), as: .failed("a mishap"))

    try stage.pass(.seconds(60))

    #expect(
      try stage.decide(jobs) == [
        "settle missed: it waited for too long for two, whose run 2 failed"
      ])
  }

  @Test func `runs by hand, backfills and requests wait for nobody`() throws {
    let chain = try chain()
    _ = try stage.scheduler(chain[0], chain[1])
    let settle = chain[1]
    try stage.offer(settle)

    let ticks = try Backfill(
      of: settle, from: stage.now, to: stage.now + .seconds(1), reprocess: .all, by: "ana")
    _ = try Ledger.enter(ticks, at: stage.now, on: stage.connection)
    try stage.enter("settle")
    _ = try stage.request("settle")
    _ = try stage.makeDue(of: ["settle"])

    #expect(
      try stage.text("SELECT string_agg(trigger || ' ' || state, ',' ORDER BY id) FROM jobkit.run")
        == "backfill due,manual due,request due")
  }

  @Test func `a tick that waits is cancelled at once, and keeps its job from being retired`() throws
  {
    let chain = try chain()
    var scheduler = try stage.scheduler(chain[0], chain[1])
    try stage.tick(&scheduler)

    let open = try Ledger.estate(of: "settle", at: stage.now, on: stage.connection)?.openRun
    #expect(open == 2)
    #expect(try Ledger.cancel(2, by: "ana", at: stage.now, on: stage.connection))
    try stage.succeed("load")

    #expect(try stage.state(of: 2) == "cancelled (cancelled by ana) ")
    #expect(try stage.decide(chain) == [])
  }

  @Test func `a tick keeps what it was decided to wait for, whatever the settings say by then`()
    throws
  {
    let chain = try chain(After(["load"], failed: .wait))
    var scheduler = try stage.scheduler(chain[0], chain[1])
    try stage.tick(&scheduler)
    try stage.finish(try #require(try stage.claim(of: ["load"]).first), as: .failed("a mishap"))

    let free = [chain[0], try ScheduledJob.sample("settle")]
    #expect(try stage.decide(free) == [])
    #expect(try Ledger.retry(1, at: stage.now, on: stage.connection))
    try stage.succeed("load")
    #expect(try stage.decide(free) == ["settle due"])
  }

  @Test func `four daemons decide a tick once`() throws {
    let settle = try ScheduledJob.sample("settle", after: After(["load"], limit: .seconds(60))) {
      ($0.overlap, $0.catchUp) = (.allow, CatchUp(.all))
    }
    let chain = [try ScheduledJob.sample("load"), settle]
    var scheduler = try stage.scheduler(chain[0], chain[1])
    try stage.pass(.seconds(50 * 60))
    _ = try scheduler.pass(at: stage.now, on: stage.connection)
    try stage.succeed("load")
    try stage.pass(.seconds(120))
    let (url, now) = (stage.database.url, try stage.now)

    let daemons = (1...4).map { _ in
      TestThread {
        let connection = try Connection(to: Server(url))
        var place: Ledger.WaitingPlace?
        return try Ledger.decideWaiting(chain, after: &place, at: now, on: connection).map(\.run)
      }
    }
    let decided = try daemons.flatMap { try $0.value() }

    #expect(decided.count == 50 && Set(decided).count == 50)
    #expect(try stage.contradictions() == [])
    #expect(
      try stage.count(
        "SELECT count(*) FROM jobkit.notice WHERE event = 'missed' AND job = 'settle'")
        == stage.count("SELECT count(*) FROM jobkit.run WHERE state = 'missed' AND job = 'settle'"))
  }
}
