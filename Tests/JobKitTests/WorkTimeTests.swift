@testable import JobKit
@testable import Ledger

import LocalTime
import Postgres
import TestKit
import Testing

/// Who worked at a part, how often and for how long, as the ledger remembers it.
@Suite("Who worked for how long")
struct WorkTimeTests {
  private let stage: Stage

  init() throws { stage = try Stage(at: "2026-03-01T12:00:00Z") }

  private func part(_ number: Int = 0) throws -> PartRecord {
    try Ledger.parts(of: 1, on: stage.connection)[number]
  }

  private func work() throws -> [Duration?] {
    let now = try stage.now
    let run = try #require(try Ledger.run(1, on: stage.connection))
    return [run.workTime(by: now), try part().workTime(by: now)]
  }

  @Test func `a part remembers its daemon when it is over`() throws {
    try stage.enter()
    let before = try part()
    try stage.finish(try stage.claimOne(by: 7))

    let part = try part()

    #expect(before.daemon == nil && before.attempts == 0)
    #expect(part.daemon == "host:1:7" && part.attempts == 1 && part.failures == 0)
    #expect(part.origin?.host == "host" && part.origin?.process == 1)
  }

  @Test func `what a part waited for its next try is no work`() throws {
    try stage.enter()
    let first = try stage.claimOne(by: 1)
    try stage.pass(.seconds(10))
    try stage.release(first, because: .failed("no"))
    try stage.pass(.seconds(500))
    let waiting = try work()
    let second = try stage.claimOne(by: 2)
    try stage.pass(.milliseconds(2500))
    let meanwhile = try work()
    try stage.pass(.milliseconds(2500))
    try stage.finish(second)
    try stage.pass(.seconds(500))

    #expect(waiting == [.seconds(10), .seconds(10)])
    #expect(meanwhile == [.milliseconds(12_500), .milliseconds(12_500)])
    #expect(try work() == [.seconds(15), .seconds(15)])
    let part = try part()
    #expect((part.attempts, part.failures, part.daemon) == (2, 1, "host:1:2"))
  }

  @Test func `a run that is held has not begun to work`() throws {
    try stage.enter()
    let part = try stage.claimOne()
    try stage.pass(.milliseconds(400))
    try Ledger.hold(
      part.claim, planned: 5, because: "too many", at: stage.clock.reading, on: stage.connection)
    try stage.pass(.seconds(60))

    #expect(try work() == [nil, .milliseconds(400)])
  }

  @Test func `a worker that is lost stays known, its time counts until its lease was over`() throws
  {
    try stage.enter()
    _ = try stage.claimOne(by: 3)
    try stage.pass(.seconds(100))
    #expect(try stage.rescue().count == 1)

    let part = try part()

    #expect((part.state, part.daemon, part.attempts) == (.due, "host:1:3", 1))
    #expect(try work() == [.seconds(15), .seconds(15)])
  }

  @Test func `parts that run at once are at work for no longer than the run lasts`() throws {
    try stage.enter(parts: 3)
    let parts = try stage.claim(3)
    try stage.pass(.seconds(10))
    let meanwhile = try work()
    for part in parts { try stage.finish(part) }
    try stage.pass(.seconds(10))

    #expect(meanwhile == [.seconds(10), .seconds(10)])
    #expect(try work() == [.seconds(10), .seconds(10)])
  }

  @Test func `parts one after the other are at work while they run, not between`() throws {
    try stage.enter(parts: 2)
    for _ in 1...2 {
      let part = try stage.claimOne()
      try stage.pass(.seconds(3))
      try stage.finish(part)
      try stage.pass(.seconds(60))
    }

    #expect(try work() == [.seconds(6), .seconds(3)])
  }

  @Test func `where the clock stands still there is no time to tell`() throws {
    try stage.enter()
    try stage.finish(try stage.claimOne())

    #expect(try work().first == .some(nil))
  }

  @Test func `what an older program claimed is nobody's, from its start to its end`() throws {
    try stage.enter()
    try stage.release(try stage.claimOne(by: 1))
    let now = try stage.now
    // As a program does it that knows nothing of these columns.
    try stage.connection.run(
      """
      UPDATE jobkit.part SET state = 'running', daemon = 'old:2:b', epoch = epoch + 1,
        lease_until = \(now + .seconds(15))
      """)
    let running = try part()
    try stage.connection.run(
      """
      UPDATE jobkit.part SET state = 'succeeded', daemon = NULL, lease_until = NULL,
        finished_at = \(now + .seconds(5))
      """)

    #expect(running.daemon == "old:2:b")
    #expect(try part().daemon == nil)
  }
}
