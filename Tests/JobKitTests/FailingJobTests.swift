import LocalTime
import Postgres
import TestKit
import Testing

@testable import JobKit
@testable import Ledger
@testable import Runner

/// Which failed runs make a job sick: all of them, whoever began them.
@Suite("A job that fails")
struct FailingJobTests {
  private let stage: Stage

  init() throws {
    stage = try Stage(at: "2026-03-01T12:00:00Z")
    let now = try stage.now
    try stage.connection.run(
      "INSERT INTO jobkit.job (name, known_since, decided_until) VALUES ('sample', \(now), \(now))")
  }

  /// Ends a run in each of these states, a minute after the other.
  private func end(_ states: [String], trigger: String = "schedule") throws {
    for state in states {
      try stage.pass(.seconds(60))
      let now = try stage.now
      let error = state == "failed" ? "no space left" : nil
      try stage.connection.run(
        """
        WITH run AS (
          INSERT INTO jobkit.run (job, scheduled_for, trigger, state, parts_left, decided_at,
            decided_by, started_at, finished_at)
          VALUES ('sample', \(now), \(trigger), \(state), 0, \(now), 'test', \(now), \(now))
          RETURNING id, state
        )
        INSERT INTO jobkit.part (run, number, job, state, not_before, finished_at, error)
        SELECT id, 0, 'sample', state, \(now)::timestamptz, \(now)::timestamptz, \(error)::text FROM run
        """)
      try stage.connection.run("UPDATE jobkit.job SET decided_until = \(now)")
    }
  }

  private func show(_ word: UInt32 = 1) throws {
    _ = try Ledger.showAlive(
      .sample(word), jobs: ["sample"], ready: true, draining: false, at: stage.now,
      on: stage.connection)
  }

  private func healthSnapshot() throws -> HealthSnapshot {
    try Ledger.healthSnapshot(at: stage.now, on: stage.connection)
  }

  @Test func `its error is kept with what acts on a terminal spelt out, line by line`() throws {
    let text = "a\u{1B}[2J\u{202E}b"
    let reading = Rehearsed { context in
      let rows = Result { () throws in try context.query("SELECT \(text)::text::integer") }
      guard case .failure(let error) = rows else { return Outcome("read it") }
      throw FailedForGood("\(error)")
    }
    let own = Rehearsed { _ in throw FailedForGood("a\tuser 7\r\nb\u{9B}c") }

    let quoted = try #require(try stage.run(reading).error)
    try stage.pass(.seconds(60))
    let kept = try #require(try stage.run(own).error)
    let shown = try stage.dryRun(own)

    let reason = #"invalid input syntax for type integer: "a\u{1B}[2J\u{202E}b""#
    #expect(quoted.hasPrefix(reason), "\(quoted)")
    #expect(kept == "a user 7\nb\\u{009B}c")
    #expect(PublicReason(kept).text == "a user …")
    #expect("\(shown)".hasPrefix("would fail: \(kept)"))
  }

  @Test(arguments: ["manual", "backfill"])
  func `what fails beside the schedule counts as what fails in it`(trigger: String) throws {
    try end(["failed", "failed"], trigger: trigger)
    try show()
    let never = try healthSnapshot().problems(of: [.sample()], at: stage.now)
    try end(["succeeded"])
    try end(["failed"], trigger: trigger)
    try show()
    let once = try healthSnapshot().problems(of: [.sample()], at: stage.now)
    try end(["failed"])
    try show()
    let both = try healthSnapshot().problems(of: [.sample()], at: stage.now)

    #expect(
      never.map(\.description) == [
        "sample: its last 2 runs failed, since 2026-03-01T12:01:00Z: no space left;"
          + " 'worker show 2' tells more"
      ])
    #expect(once == [])
    #expect(
      both.map(\.description) == [
        "sample: its last 2 runs failed, since 2026-03-01T12:04:00Z: no space left;"
          + " 'worker show 5' tells more"
      ])
    #expect(
      both.map { $0.said { _ in "21:04" } } == [
        "its last 2 runs failed, since 21:04: no space left; 'worker show 5' tells more"
      ])
  }
}
