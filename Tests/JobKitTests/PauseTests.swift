@testable import JobKit
@testable import Ledger
@testable import Runner

import LocalTime
import Postgres
import TestKit
import Testing

/// What stays of a pause that is over.
@Suite("A pause")
struct PauseTests {
  private let stage: Stage

  init() throws {
    stage = try Stage(at: "2026-03-01T09:00:00Z")
    try Ledger.enter(["sample"], at: stage.now, on: stage.connection)
  }

  private func pause(for time: Duration? = nil) throws {
    let now = try stage.now
    let pause = Pause(
      since: now, author: "ana", reason: "an incident", until: time.map { now + $0 })
    #expect(try Ledger.pause("sample", pause, on: stage.connection))
  }

  private func resume() throws -> Bool {
    try Ledger.resume("sample", at: stage.now, on: stage.connection)
  }

  @Test func `its ticks are skipped when it was resumed before a daemon looked`() throws {
    let job = try ScheduledJob.sample(every: .seconds(3600)) { $0.catchUp = CatchUp(.all) }
    _ = try stage.scheduler(job)
    try pause()

    try stage.pass(.seconds(10_800))
    #expect(try resume())
    try stage.pass(.seconds(600))
    var restarted = try stage.scheduler(job)
    _ = try restarted.pass(at: stage.now, on: stage.connection)

    #expect(
      try stage.runs() == [
        "2026-03-01T10:00:00Z skipped paused by ana: an incident",
        "2026-03-01T11:00:00Z skipped paused by ana: an incident", "2026-03-01T12:00:00Z due",
      ])
  }

  @Test func `once it was resumed it is none for anybody`() throws {
    try pause()
    try stage.pass(.seconds(600))
    let isFirst = try resume()
    let isSecond = try resume()
    try stage.pass(.seconds(86_401))
    try Ledger.showAlive(
      .sample(1), jobs: ["sample"], draining: false, at: stage.now, on: stage.connection)
    try Ledger.forgetNotices(at: stage.now, on: stage.connection)

    let now = try stage.now
    let job = try Ledger.jobs(on: stage.connection).first
    let snapshot = try Ledger.healthSnapshot(at: now, on: stage.connection)

    #expect(isFirst && !isSecond)
    #expect(job?.pause?.covers(now) == false)
    #expect(snapshot.problems(of: [], at: now).isEmpty)
    #expect(try stage.count("SELECT count(*) FROM jobkit.notice") == 0)
  }

  @Test func `one that has ended by itself is not resumed`() throws {
    try pause(for: .seconds(600))
    try stage.pass(.seconds(600))

    #expect(try !resume())
  }
}
