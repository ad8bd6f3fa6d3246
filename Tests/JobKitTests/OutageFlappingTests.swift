@testable import Config
@testable import JobKit
@testable import Ledger
@testable import Runner

import LocalTime
import Postgres
import TestKit
import Testing

/// Daemons that come back for a moment, as in a crash loop: what is missed is told all the same, each tick once.
@Suite("The message of an outage, while daemons flap")
struct OutageFlappingTests {
  private let stage: Stage

  init() throws {
    stage = try Stage(at: "2026-03-01T10:00:00Z")
  }

  @Test func `a daemon that was back for a moment only has not ended it`() throws {
    try stage.pass(outage: .seconds(480))
    try stage.pass(.seconds(6))
    try Ledger.forget(.sample(2), at: stage.now, on: stage.connection)
    try stage.pass(.seconds(174))
    try stage.show(3)
    try stage.decideAll()
    let early = try stage.outageMessages()
    try stage.pass(.seconds(30))

    let messages = try stage.outageMessages()

    #expect(early.isEmpty)
    #expect(messages.map(\.event) == [.outage])
    #expect(messages.map(\.reason) == ["other 9, sample 9, third 9"])
    #expect(messages.map(\.firstAt) == [try Instant("2026-03-01T10:00:00Z")])
    #expect(messages.map(\.lastAt) == [try Instant("2026-03-01T10:11:00Z")])
    #expect(messages.map(\.outage?.length) == [.seconds(654)])
    let written = WrittenMessage(try #require(messages.first), from: "host", next: nil)
    #expect(
      written.text.hasPrefix(
        """
        no daemon ran for 10m54s: 27 ticks were missed
        from 2026-03-01T10:00:00Z to 2026-03-01T10:11:00Z, but for 6s in which a daemon was back and \
        decided ticks

        """))
  }

  @Test func `a return in which nothing was decided is no interruption`() throws {
    try stage.pass(outage: .seconds(480), deciding: 0)
    try stage.pass(.seconds(6))
    try Ledger.forget(.sample(2), at: stage.now, on: stage.connection)
    try stage.pass(.seconds(174))
    try stage.show(3)
    try stage.decideAll()
    try stage.pass(.seconds(30))

    let message = try #require(try stage.outageMessages().first)

    let title = WrittenMessage(message, from: "host", next: nil).title
    #expect(title == "no daemon ran for 11m: 30 ticks were missed")
  }

  @Test func `daemons that are never back for longer do not keep it from being told`() throws {
    try stage.pass(outage: .seconds(480))
    for daemon in UInt32(3)...5 {
      try stage.pass(.seconds(100))
      try stage.show(daemon)
      try stage.decideAll()
      #expect(try stage.outageMessages().isEmpty == (daemon < 5))
    }

    let outages = try stage.text(
      """
      SELECT string_agg(format('%s %s', ended_at - began_at, told_at IS NULL), ', ' ORDER BY id)
      FROM jobkit.outage
      """)
    #expect(outages == "00:11:20 f, 00:01:40 t")
  }

  @Test func `those that the daemon of between did not tell of are a message each`() throws {
    try stage.pass(outage: .seconds(480))
    try stage.pass(.seconds(31))
    try stage.show(2)
    try stage.pass(.seconds(569))
    try stage.show(3)
    try stage.decideAll()
    try stage.pass(.seconds(30))

    let messages = try stage.outageMessages().sorted { $0.id < $1.id }

    #expect(messages.map(\.event) == [.outage, .outage])
    #expect(
      messages.map(\.reason) == ["other 7, sample 7, third 7", "other 9, sample 9, third 9"])
    #expect(messages.map(\.lastAt.description) == ["2026-03-01T10:08:00Z", "2026-03-01T10:18:00Z"])
  }

  @Test func `what is found missed after the message was made is told by a message of its job`()
    throws
  {
    try stage.pass(outage: .seconds(3600), deciding: 2)
    try stage.pass(.seconds(30))
    let first = try stage.outageMessages()
    try stage.decide(try Stage.outageJobs()[2])

    let second = try stage.outageMessages()

    #expect(first.map(\.times) == [118])
    #expect(second.map(\.event) == [.missed] && second.map(\.job) == ["third"])
    #expect(second.map(\.times) == [59])
    #expect(try stage.count("SELECT count(*) FROM jobkit.message WHERE event = 'outage'") == 1)
  }

  @Test func `what is missed right behind an outage that was told is in the next message`() throws {
    try stage.pass(outage: .seconds(480))
    try stage.pass(.seconds(30))
    let first = try stage.outageMessages()
    try stage.show(2)
    // Each is back within 45 seconds, so that this is no other outage; only the last one decides.
    for (daemon, wait) in [(UInt32(3), 40.0), (4, 40), (5, 15)] {
      try stage.pass(.seconds(wait))
      try stage.show(daemon)
    }
    try stage.decideAll()

    let second = try stage.outageMessages()

    #expect(first.map(\.event) == [.outage])
    #expect(second.map(\.event) == [.missed, .missed, .missed])
    #expect(second.map(\.times) == [1, 1, 1])
    #expect(Set(second.map(\.firstAt)) == [try Instant("2026-03-01T10:09:00Z")])
  }

  /// What a daemon that is back does, for how long it is there, and for how long nobody is there after it.
  private struct Return {
    let decides: Bool
    let tells: Bool
    let stays: Double
    let absence: Double

    /// One of all that there are, by a number of no meaning.
    init(_ number: Int) {
      (decides, tells) = (number % 3 != 0, number % 5 < 3)
      stays = [0, 6, 20, 31, 50][number / 7 % 5]
      absence = [20, 40, 46, 70, 100, 290, 600][number / 11 % 7]
    }
  }

  @Test(arguments: 1...8)
  func `each tick that was missed is in one message, however daemons come and go`(seed: Int) throws
  {
    try stage.pass(outage: .seconds(480))
    for step in 1...30 {
      let back = Return(seed * 7919 + step * step * 104_729)
      try stage.show(UInt32(step + 2))
      if back.decides { try stage.decideAll() }
      try stage.pass(.seconds(back.stays))
      if back.tells { for message in try stage.outageMessages() { _ = try stage.record(message) } }
      try stage.pass(.seconds(back.absence))
    }
    try stage.show(100)
    try stage.decideAll()
    for _ in 1...3 {
      try stage.pass(.seconds(301))
      for message in try stage.outageMessages() { _ = try stage.record(message) }
    }

    let missed = try stage.count(
      "SELECT sum(ticks) FROM jobkit.run WHERE coalesce(fate, state) = 'missed'")
    #expect(try stage.count("SELECT count(*) FROM jobkit.notice") == 0)
    #expect(try stage.count("SELECT sum(times) FROM jobkit.message") == missed)
  }
}
