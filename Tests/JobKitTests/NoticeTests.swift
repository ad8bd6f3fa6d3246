@testable import JobKit
@testable import Ledger
@testable import Runner

import LocalTime
import Postgres
import TestKit
import TestSupport
import Testing

/// What people are told of, from the row of what happened to the message.
@Suite("Notices")
struct NoticeTests {
  private let stage: Stage

  init() throws { stage = try Stage(at: "2026-03-01T10:00:00Z") }

  @Test func `a run that fails is told of once, with why, and one that succeeds is not`() throws {
    try stage.enter { $0.overlap = .allow }
    try stage.finish(try stage.claimOne())
    let before = try stage.hasNews()
    try stage.fail("a mishap")

    let news = try stage.hasNews()
    let messages = try stage.claimMessages()

    #expect(!before && news)
    #expect(messages.map(\.event) == [.failed] && messages.map(\.run) == [2])
    #expect(messages.map(\.reason) == ["a mishap"] && messages.map(\.times) == [1])
    #expect(try stage.record(messages[0]))
    #expect(try !stage.hasNews() && stage.claimMessages().isEmpty)
  }

  @Test func `a failure whose transaction is rolled back is not told of`() throws {
    try stage.enter()
    let part = try stage.claimOne()
    try stage.connection.run(
      script: """
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$;
        CREATE TRIGGER refuse BEFORE UPDATE ON jobkit.run FOR EACH ROW EXECUTE FUNCTION refuse();
        """)

    #expect(throws: PostgresError.self) { try stage.finish(part, as: .failed("a mishap")) }

    #expect(try stage.count("SELECT count(*) FROM jobkit.notice") == 0)
  }

  @Test func `the first part of a run that fails for good is told of, before the others end`()
    throws
  {
    try stage.enter(parts: 3)
    let parts = try stage.claim(3)

    try stage.finish(parts[0], as: .failed("a mishap"))
    let early = try stage.claimMessages().map(\.times)
    for part in parts.dropFirst() { try stage.finish(part) }

    #expect(early == [1])
    #expect(try stage.state().hasPrefix("failed") && !stage.hasNews())
  }

  @Test func `a run of which more than one part fails is told of once`() throws {
    try stage.enter(parts: 3)
    for part in try stage.claim(3) { try stage.finish(part, as: .failed("a mishap")) }

    #expect(try stage.count("SELECT count(*) FROM jobkit.notice WHERE event = 'failed'") == 1)
    #expect(try stage.claimMessages().map(\.times) == [1])
  }

  @Test func `ticks that nobody saw in time are told of with their number`() throws {
    var scheduler = try stage.scheduler(.sample { $0.catchUp.policy = .skip })
    try stage.pass(.seconds(600))
    _ = try scheduler.pass(at: stage.now, on: stage.connection)

    let messages = try stage.claimMessages().filter { $0.event == .missed }

    #expect(messages.map(\.times) == [9])
    #expect(messages[0].firstAt == (try Instant("2026-03-01T10:01:00Z")))
    #expect(messages[0].lastAt == (try Instant("2026-03-01T10:09:00Z")))
    #expect(messages[0].reason == "no daemon was looking; missed ticks of this job are not run")
  }

  @Test func `many ticks in one row count as many, and a run that no worker took is missed too`()
    throws
  {
    var scheduler = try stage.scheduler(
      .sample { ($0.catchUp.policy, $0.startWithin) = (.latest, .seconds(30)) })
    try stage.pass(.seconds(6000))
    _ = try scheduler.pass(at: stage.now, on: stage.connection)
    try stage.pass(.seconds(31))
    _ = try Ledger.missLate(["sample"], at: stage.now, on: stage.connection)

    let messages = try stage.claimMessages().filter { $0.event == .missed }
    #expect(messages.map(\.times) == [100])
    #expect(messages.map(\.firstAt) == [try Instant("2026-03-01T10:01:00Z")])
    #expect(messages.map(\.lastAt) == [try Instant("2026-03-01T11:40:00Z")])
    // What the message tells to type finds the rows that it speaks of.
    var missed = Ledger.RunFilter()
    missed.state = .missed
    #expect(try Ledger.runs(missed, on: stage.connection).map(\.ticks).reduce(0, +) == 100)
  }

  @Test func `a run that waits for approval is told of`() throws {
    try stage.enter()
    let part = try stage.claimOne()

    try Ledger.hold(
      part.claim, planned: 9, because: "would touch 9, fewer than 10", at: stage.clock.reading,
      on: stage.connection)

    let messages = try stage.claimMessages()
    #expect(messages.map(\.event) == [.held])
    #expect(messages.map(\.reason) == ["would touch 9, fewer than 10"])
  }

  @Test func `a run that waits for approval is told of once, however many of its parts find out`()
    throws
  {
    try stage.enter(parts: 3)
    var messages: [NoticeMessage] = []

    for (number, part) in try stage.claim(3).enumerated() {
      try Ledger.hold(
        part.claim, planned: 101 + number, because: "too many", at: stage.clock.reading,
        on: stage.connection)
      messages += try stage.claimMessages()
      for message in messages { _ = try stage.record(message) }
      try stage.pass(.seconds(3600))
    }

    #expect(try stage.state() == "held (too many) due,due,due")
    #expect(messages.map(\.event) == [.held])
    #expect(try !stage.hasNews())
  }

  @Test func `a pause is told of when it has lasted too long, and not when it is over by then`()
    throws
  {
    try Ledger.enter(["sample", "other"], at: stage.now, on: stage.connection)
    let both = NoticeWatch(jobs: ["sample", "other"])
    let pause = Pause(since: try stage.now, author: "ana", reason: "an incident", until: nil)
    for job in both.jobs { _ = try Ledger.pause(job, pause, on: stage.connection) }
    _ = try Ledger.resume("other", at: stage.now, on: stage.connection)

    try stage.pass(.seconds(86_399))
    let early = try stage.claimMessages(for: both)
    try stage.pass(.seconds(1))
    let messages = try stage.claimMessages(for: both)

    #expect(early.isEmpty)
    #expect(messages.map(\.event) == [.pausedTooLong] && messages.map(\.job) == ["sample"])
    #expect(messages.map(\.reason) == ["ana: an incident"])
    #expect(try stage.claimMessages(for: both).isEmpty)
  }

  @Test(arguments: [(300, 0), (301, 1)])
  func `a run that waits for a worker is late after five minutes, and told of once`(
    seconds: Int, messages: Int
  ) throws {
    var scheduler = try stage.scheduler(.sample())
    try stage.pass(.seconds(60))
    _ = try scheduler.pass(at: stage.now, on: stage.connection)

    try stage.pass(.seconds(seconds))
    let query = try stage.maintenanceQuery()
    let late = try stage.claimMessages().filter { $0.event == .late }
    try stage.pass(.seconds(600))
    let again = try stage.claimMessages().filter { $0.event == .late && $0.epoch == 1 }

    #expect(query.hasRunsToStart == (messages == 1))
    #expect(late.count == messages && again.count == 1 - messages)
  }

  @Test func `nobody is told of what the settings leave out, nor of a job that is silent`() throws {
    var other = Stage.watch
    other.events = [.held]
    var silent = Stage.watch
    silent.silent = ["sample"]

    try stage.fail()
    let unwanted = try stage.claimMessages(for: other)
    try stage.fail()
    let ofSilent = try stage.claimMessages(for: silent)

    #expect(unwanted.isEmpty && ofSilent.isEmpty)
    #expect(try stage.count("SELECT count(*) FROM jobkit.notice") == 0)
  }
}
