@testable import JobKit
@testable import Ledger

import LocalTime
import Postgres
import Runner
import TestKit
import Testing

/// Outages that a clock noted which was ahead.
@Suite("An outage by a clock that was ahead")
struct OutageClockTests {
  @Test func `it does not hide the message of a later one`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    let job = try ScheduledJob.sample { $0.catchUp.policy = .skip }
    func show(_ word: UInt32) throws {
      _ = try Ledger.showAlive(
        .sample(word), jobs: [job.name], ready: true, draining: false, at: stage.now,
        on: stage.connection)
    }
    _ = try stage.scheduler(job)
    try show(1)
    try stage.pass(.seconds(10 * 365 * 86_400))
    try show(2)
    try Ledger.forget(.sample(2), at: stage.now, on: stage.connection)
    try stage.pass(.seconds(-10 * 365 * 86_400 + 30))
    try show(1)

    try stage.pass(.seconds(3600))
    try show(3)
    var scheduler = try stage.scheduler(job)
    _ = try scheduler.pass(at: stage.now, on: stage.connection)
    try stage.pass(.seconds(30))
    var watch = NoticeWatch(jobs: [job.name])
    watch.events = [.missed]
    let messages = try stage.claimMessages(for: watch)

    #expect(try stage.count("SELECT count(*) FROM jobkit.outage") == 2)
    #expect(messages.map(\.event) == [.outage])
    #expect(messages.map(\.firstAt) == [try Instant("2026-03-01T10:00:30Z")])
    #expect(messages.map(\.lastAt) == [try Instant("2026-03-01T11:00:30Z")])
  }
}
