@testable import JobKit
@testable import Config
@testable import Runner
@testable import Ledger

import LocalTime
import Postgres
import TestKit
import Testing

/// One outage is one message, with its true beginning and end.
@Suite("The message of an outage")
struct OutageMessageTests {
  private let stage: Stage

  init() throws {
    stage = try Stage(at: "2026-03-01T10:00:00Z")
  }

  @Test func `an outage of all jobs is one message, from its beginning to its end`() throws {
    try stage.pass(outage: .seconds(3600))
    let early = try stage.outageMessages()
    let isQuiet = try !stage.hasNews()
    try stage.pass(.seconds(30))

    let messages = try stage.outageMessages()

    #expect(early.isEmpty && isQuiet)
    #expect(messages.map(\.event) == [.outage] && messages.map(\.job) == ["*"])
    // The newest tick of each job is decided in its own minute.
    #expect(messages.map(\.times) == [177])
    #expect(messages.map(\.reason) == ["other 59, sample 59, third 59"])
    #expect(messages.map(\.firstAt) == [try Instant("2026-03-01T10:00:00Z")])
    #expect(messages.map(\.lastAt) == [try Instant("2026-03-01T11:00:00Z")])
    #expect(try stage.record(messages[0]))
    #expect(try !stage.hasNews())
  }

  @Test(arguments: [(0.9, 3599.2, 3600), (0.9, 3599.7, 3600), (0.2, 3600.9, 3601)])
  func `it is as long in its message as in a report, and no fraction is a return of a daemon`(
    start: Double, outage: Double, seconds: Int
  ) throws {
    try stage.pass(.seconds(start))
    try stage.pass(outage: .seconds(outage))
    try stage.pass(.seconds(30))

    let message = try #require(try stage.outageMessages().first)
    let reported = try Ledger.outages(
      from: Instant("2026-03-01T09:00:00Z"), to: Instant("2026-03-01T12:00:00Z"), at: stage.now,
      on: stage.connection)

    let text = WrittenMessage(message, from: "host", next: nil).text
    #expect(text.hasPrefix("no daemon ran for \(Duration.seconds(seconds).written): "))
    #expect(!text.contains("but for"), "\(text)")
    #expect(reported.map(\.length) == [.seconds(seconds)])
  }

  @Test func `in a ledger that has noted no presence, it began with what a daemon decided last`()
    throws
  {
    let jobs = try Stage.outageJobs()
    _ = try stage.scheduler(jobs[0], jobs[1], jobs[2])
    try stage.pass(.seconds(60))
    for job in jobs { try stage.decide(job) }
    try stage.pass(.seconds(3600))
    for job in jobs { try stage.decide(job) }
    // The daemon that is back may decide before it shows itself for the first time.
    let back = DaemonID.sample(2).text
    try stage.connection.run(
      "UPDATE jobkit.run SET decided_by = \(back) WHERE decided_at = \(try stage.now)")
    try stage.show(2)
    try stage.pass(.seconds(30))

    let messages = try stage.outageMessages()

    #expect(messages.map(\.event) == [.outage])
    #expect(messages.map(\.times) == [177])
    #expect(messages.map(\.firstAt) == [try Instant("2026-03-01T10:01:00Z")])
    #expect(messages.map(\.lastAt) == [try Instant("2026-03-01T11:01:00Z")])
  }

  @Test func `the first daemon of all has been absent from nothing`() throws {
    try stage.show(1)

    #expect(try stage.count("SELECT count(*) FROM jobkit.presence") == 1)
    #expect(try stage.count("SELECT count(*) FROM jobkit.outage") == 0)
  }

  @Test func `a second outage is a second message`() throws {
    try stage.pass(outage: .seconds(3600))
    try stage.pass(.seconds(30))
    let first = try stage.outageMessages()
    #expect(try stage.record(first[0]))
    try stage.show(2)
    try stage.pass(.seconds(600))
    try stage.show(3)
    try stage.decideAll()
    try stage.pass(.seconds(30))

    let second = try stage.outageMessages()

    #expect(second.map(\.event) == [.outage])
    #expect(second.map(\.firstAt) == [try Instant("2026-03-01T11:00:30Z")])
    #expect(second.map(\.lastAt) == [try Instant("2026-03-01T11:10:30Z")])
  }

  @Test func `a tick that waited for a worker in vain is told of beside it`() throws {
    var scheduler = try stage.scheduler(
      .sample { ($0.catchUp.policy, $0.startWithin) = (.latest, .seconds(20)) })
    try stage.show(1)
    try stage.pass(.seconds(3600))
    try stage.show(2)
    _ = try scheduler.pass(at: stage.now, on: stage.connection)
    try stage.pass(.seconds(21))
    _ = try Ledger.missLate(["sample"], at: stage.now, on: stage.connection)
    try stage.pass(.seconds(9))

    let messages = try stage.outageMessages()

    #expect(
      messages.map(\.event) == [.outage, .missed] || messages.map(\.event) == [.missed, .outage])
    #expect(messages.first { $0.event == .missed }?.reason == "no worker was free in time")
    #expect(messages.first { $0.event == .outage }?.times == 59)
  }

  @Test func `an outage in which nothing was missed is not told of`() throws {
    try stage.show(1)
    try stage.pass(.seconds(3600))
    try stage.show(2)
    try stage.pass(.seconds(30))

    #expect(try stage.outageMessages().isEmpty && !stage.hasNews())
  }

  @Test func `it is told where missed ticks are, and not of jobs that are silent`() throws {
    try stage.pass(outage: .seconds(3600))
    try stage.pass(.seconds(30))
    var silent = Stage.outageWatch
    silent.silent = ["sample", "other"]
    var unwanted = Stage.outageWatch
    unwanted.events = [.failed]

    let ofOne = try stage.outageMessages(for: silent)
    let none = try stage.outageMessages(for: unwanted)

    #expect(ofOne.map(\.reason) == ["third 59"])
    #expect(none.isEmpty)
  }

  @Test func `its commands find what it speaks of, and nothing else`() throws {
    try stage.pass(outage: .seconds(3600))
    try missBeside()
    try stage.pass(.seconds(30))
    let message = try #require(try stage.outageMessages().first)
    let written = WrittenMessage(message, from: "host", next: nil)

    #expect(
      written.text == """
        no daemon ran for 1h: 177 ticks were missed
        from 2026-03-01T10:00:00Z to 2026-03-01T11:00:00Z
        missed: other 59, sample 59, third 59
        next: the daemons decide again; a job makes missed ticks good as its setting 'missed' says
        do: worker audit --from 2026-03-01T10:00:00Z --to 2026-03-01T11:00:00Z
        do: worker runs --state missed --since 2026-03-01T10:01:00Z --until 2026-03-01T10:59:01Z\
         --limit 177 --text 'no daemon was looking'
        """)
    #expect(written.json.pretty.contains("\"job\": null"))
    var missed = Ledger.RunFilter()
    (missed.state, missed.text, missed.limit) = (.missed, "no daemon was looking", 177)
    missed.since = try Instant("2026-03-01T10:01:00Z")
    missed.until = try Instant("2026-03-01T10:59:01Z")
    #expect(try Ledger.runs(missed, on: stage.connection).map(\.ticks).reduce(0, +) == 177)
  }

  /// Ticks that no message is about: missed for another reason, before the outage, and after it.
  private func missBeside() throws {
    try stage.connection.run(
      script: """
        INSERT INTO jobkit.run (job, scheduled_for, trigger, state, reason, decided_at, decided_by,
          parts_left, finished_at)
        SELECT 'sample', at::timestamptz, 'schedule', 'missed', reason, at::timestamptz, 'test', 0,
          '2026-03-01 11:00Z'
        FROM (VALUES ('2026-03-01 10:20:30Z', 'no worker was free in time'),
          ('2026-03-01 09:50:00Z', 'no daemon was looking; missed ticks of this job are not run'),
          ('2026-03-01 11:00:20Z', 'no daemon was looking; missed ticks of this job are not run')
        ) AS beside (at, reason)
        """)
  }

  @Test func `the message of missed ticks names those of its time alone`() throws {
    try stage.pass(outage: .seconds(44))
    try stage.pass(.seconds(16))
    try stage.show(2)
    try stage.pass(.seconds(240))
    try stage.decide(try #require(try Stage.outageJobs().first))

    let message = try #require(try stage.outageMessages().first)

    #expect(message.event == .missed && message.times == 4)
    #expect(
      WrittenMessage(message, from: "host", next: nil).commands == [
        "worker runs sample --state missed --since 2026-03-01T10:01:00Z --until 2026-03-01T10:04:01Z",
        "worker ps",
      ])
  }

  @Test func `it does not say that no daemon ran when one was stopped or cut off`() throws {
    try stage.pass(outage: .seconds(3600), endedBy: 1)
    try stage.pass(.seconds(30))

    let message = try #require(try stage.outageMessages().first)

    let title = WrittenMessage(message, from: "host", next: nil).title
    #expect(title == "nothing was decided for 1h: 177 ticks were missed")
  }
}
