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
  private let watch: NoticeWatch

  init() throws {
    stage = try Stage(at: "2026-03-01T10:00:00Z")
    var watch = NoticeWatch(jobs: ["sample", "other", "third"])
    watch.events = [.missed]
    self.watch = watch
  }

  private func show(_ word: UInt32) throws {
    _ = try Ledger.showAlive(
      .sample(word), jobs: watch.jobs, ready: true, draining: false, at: stage.now,
      on: stage.connection)
  }

  /// The jobs whose ticks are missed when no daemon is there.
  private func jobs() throws -> [ScheduledJob] {
    try watch.jobs.map { name in try .sample(name) { $0.catchUp.policy = .skip } }
  }

  /// A daemon ends at 10:00 and another is back after so long, which finds the ticks of the first jobs missed.
  private func pass(outage: Duration, deciding count: Int = 3) throws {
    let jobs = try jobs()
    _ = try stage.scheduler(jobs[0], jobs[1], jobs[2])
    try show(1)
    try stage.pass(outage)
    try show(2)
    for job in jobs.prefix(count) { try decide(job) }
  }

  private func decide(_ job: ScheduledJob) throws {
    var scheduler = try stage.scheduler(job)
    _ = try scheduler.pass(at: stage.now, on: stage.connection)
  }

  private func messages(for watch: NoticeWatch? = nil) throws -> [NoticeMessage] {
    try stage.claimMessages(for: watch ?? self.watch)
  }

  @Test func `an outage of all jobs is one message, from its beginning to its end`() throws {
    try pass(outage: .seconds(3600))
    let early = try messages()
    let isQuiet = try !stage.hasNews()
    try stage.pass(.seconds(30))

    let messages = try messages()

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

  @Test func `what is found missed later of the same outage is not told again`() throws {
    try pass(outage: .seconds(3600), deciding: 2)
    try stage.pass(.seconds(30))
    let first = try messages()
    try decide(try jobs()[2])
    try stage.pass(.seconds(3600))

    #expect(first.map(\.times) == [118])
    #expect(try messages().filter { $0.id != first[0].id }.isEmpty)
    #expect(try stage.count("SELECT count(*) FROM jobkit.message WHERE event = 'outage'") == 1)
  }

  @Test func `in a ledger that has noted no presence, it began with what a daemon decided last`()
    throws
  {
    let jobs = try jobs()
    _ = try stage.scheduler(jobs[0], jobs[1], jobs[2])
    try stage.pass(.seconds(60))
    for job in jobs { try decide(job) }
    try stage.pass(.seconds(3600))
    for job in jobs { try decide(job) }
    // The daemon that is back may decide before it shows itself for the first time.
    let back = DaemonID.sample(2).text
    try stage.connection.run(
      "UPDATE jobkit.run SET decided_by = \(back) WHERE decided_at = \(try stage.now)")
    try show(2)
    try stage.pass(.seconds(30))

    let messages = try messages()

    #expect(messages.map(\.event) == [.outage])
    #expect(messages.map(\.times) == [177])
    #expect(messages.map(\.firstAt) == [try Instant("2026-03-01T10:01:00Z")])
    #expect(messages.map(\.lastAt) == [try Instant("2026-03-01T11:01:00Z")])
  }

  @Test func `the first daemon of all has been absent from nothing`() throws {
    try show(1)

    #expect(try stage.count("SELECT count(*) FROM jobkit.presence") == 1)
    #expect(try stage.count("SELECT count(*) FROM jobkit.outage") == 0)
  }

  @Test func `a second outage is a second message`() throws {
    try pass(outage: .seconds(3600))
    try stage.pass(.seconds(30))
    let first = try messages()
    #expect(try stage.record(first[0]))
    try show(2)
    try stage.pass(.seconds(600))
    try show(3)
    for job in try jobs() { try decide(job) }
    try stage.pass(.seconds(30))

    let second = try messages()

    #expect(second.map(\.event) == [.outage])
    #expect(second.map(\.firstAt) == [try Instant("2026-03-01T11:00:30Z")])
    #expect(second.map(\.lastAt) == [try Instant("2026-03-01T11:10:30Z")])
  }

  @Test func `a daemon that was back for a moment only has not ended it`() throws {
    try pass(outage: .seconds(480))
    try stage.pass(.seconds(6))
    try Ledger.forget(.sample(2), at: stage.now, on: stage.connection)
    try stage.pass(.seconds(174))
    try show(3)
    for job in try jobs() { try decide(job) }
    let early = try messages()
    try stage.pass(.seconds(30))

    let messages = try messages()

    #expect(early.isEmpty)
    #expect(messages.map(\.event) == [.outage])
    #expect(messages.map(\.reason) == ["other 9, sample 9, third 9"])
    #expect(messages.map(\.firstAt) == [try Instant("2026-03-01T10:00:00Z")])
    #expect(messages.map(\.lastAt) == [try Instant("2026-03-01T10:11:00Z")])
  }

  @Test func `daemons that are never back for longer do not keep it from being told`() throws {
    try pass(outage: .seconds(480))
    for daemon in UInt32(3)...5 {
      try stage.pass(.seconds(100))
      try show(daemon)
      for job in try jobs() { try decide(job) }
      #expect(try messages().isEmpty == (daemon < 5))
    }

    let outages = try stage.text(
      """
      SELECT string_agg(format('%s %s', ended_at - began_at, told_at IS NULL), ', ' ORDER BY id)
      FROM jobkit.outage
      """)
    #expect(outages == "00:11:20 f, 00:01:40 t")
  }

  @Test func `those that the daemon of between did not tell of are a message each`() throws {
    try pass(outage: .seconds(480))
    try stage.pass(.seconds(31))
    try show(2)
    try stage.pass(.seconds(569))
    try show(3)
    for job in try jobs() { try decide(job) }
    try stage.pass(.seconds(30))

    let messages = try messages().sorted { $0.id < $1.id }

    #expect(messages.map(\.event) == [.outage, .outage])
    #expect(
      messages.map(\.reason) == ["other 7, sample 7, third 7", "other 9, sample 9, third 9"])
    #expect(messages.map(\.lastAt.description) == ["2026-03-01T10:08:00Z", "2026-03-01T10:18:00Z"])
  }

  @Test func `a tick that waited for a worker in vain is told of beside it`() throws {
    var scheduler = try stage.scheduler(
      .sample { ($0.catchUp.policy, $0.startWithin) = (.latest, .seconds(20)) })
    try show(1)
    try stage.pass(.seconds(3600))
    try show(2)
    _ = try scheduler.pass(at: stage.now, on: stage.connection)
    try stage.pass(.seconds(21))
    _ = try Ledger.missLate(["sample"], at: stage.now, on: stage.connection)
    try stage.pass(.seconds(9))

    let messages = try messages()

    #expect(
      messages.map(\.event) == [.outage, .missed] || messages.map(\.event) == [.missed, .outage])
    #expect(messages.first { $0.event == .missed }?.reason == "no worker was free in time")
    #expect(messages.first { $0.event == .outage }?.times == 59)
  }

  @Test func `an outage in which nothing was missed is not told of`() throws {
    try show(1)
    try stage.pass(.seconds(3600))
    try show(2)
    try stage.pass(.seconds(30))

    #expect(try messages().isEmpty && !stage.hasNews())
  }

  @Test func `it is told where missed ticks are, and not of jobs that are silent`() throws {
    try pass(outage: .seconds(3600))
    try stage.pass(.seconds(30))
    var silent = watch
    silent.silent = ["sample", "other"]
    var unwanted = watch
    unwanted.events = [.failed]

    let ofOne = try messages(for: silent)
    let none = try messages(for: unwanted)

    #expect(ofOne.map(\.reason) == ["third 59"])
    #expect(none.isEmpty)
  }

  @Test func `its command finds what it speaks of`() throws {
    try pass(outage: .seconds(3600))
    try stage.pass(.seconds(30))
    let message = try #require(try messages().first)
    let written = WrittenMessage(message, from: "host", next: nil)

    #expect(
      written.text == """
        no daemon ran for 1h: 177 ticks were missed
        from 2026-03-01T10:00:00Z to 2026-03-01T11:00:00Z
        missed: other 59, sample 59, third 59
        next: the daemons decide again; a job makes missed ticks good as its setting 'missed' says
        do: worker audit --from 2026-03-01T10:00:00Z
        do: worker runs --state missed --since 2026-03-01T10:00:00Z
        """)
    #expect(written.json.pretty.contains("\"job\": null"))
    var missed = Ledger.RunFilter()
    (missed.state, missed.since) = (.missed, message.firstAt)
    #expect(try Ledger.runs(missed, on: stage.connection).map(\.ticks).reduce(0, +) == 177)
  }
}
