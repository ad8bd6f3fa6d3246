@testable import JobKit
@testable import Runner
@testable import Ledger

import LocalTime
import Postgres
import TestKit
import Testing

@Suite("The diagnosis of a job")
struct JobDiagnosisTests {
  private let stage: Stage

  init() throws {
    stage = try Stage(at: "2026-03-01T12:00:00Z")
    try stage.connection.run(
      "INSERT INTO jobkit.job (name, known_since, decided_until) VALUES ('sample', \(try stage.now), \(try stage.now))"
    )
    try stage.connection.run(
      "INSERT INTO jobkit.schedule VALUES ('sample', \(try stage.now), 'every 1m; UTC')")
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

  @Test(arguments: [
    (["failed", "failed", "failed"], "its last 3 runs failed, since 2026-03-01T12:01:00Z"),
    (["succeeded", "failed", "failed"], "its last 2 runs failed, since 2026-03-01T12:02:00Z"),
    (
      ["failed"],
      "its run at 2026-03-01T12:01:00Z failed, and the ledger knows no success before it"
    ),
    (["succeeded", "failed"], nil), (["failed", "failed", "succeeded"], nil), ([], nil),
  ])
  func `a job whose latest runs all failed is a problem, one failure between successes is none`(
    states: [String], words: String?
  ) throws {
    try end(states)
    try show()

    let problems = try healthSnapshot().problems(of: [.sample()], at: stage.now)

    #expect(
      problems.map(\.description)
        == [words].compactMap(\.self).map {
          "sample: \($0): no space left; 'worker show \(states.count)' tells more"
        })
    #expect(problems.allSatisfy { $0.word == "failing" && $0.job == "sample" })
  }

  @Test func `what succeeded by hand after the failures makes them good`() throws {
    try end(["failed", "failed"])
    try end(["succeeded"], trigger: "manual")
    try show()
    let good = try healthSnapshot()
    try end(["failed"])
    try show()
    let again = try healthSnapshot()

    #expect(good.jobs.first?.failing == nil)
    #expect(again.jobs.first?.failing?.run == 4)
  }

  @Test func `a disabled job fails nobody`() throws {
    try end(["failed", "failed"])
    try show()

    #expect(try healthSnapshot().problems(of: [.sample(isEnabled: false)], at: stage.now) == [])
  }

  @Test func `without a daemon every tick up to now is undecided, with since when`() throws {
    try show()
    try stage.pass(.seconds(3600))

    let undecided = try healthSnapshot().diagnoses(of: [.sample()], at: stage.now).first?.undecided

    #expect(
      undecided.map { "\($0)" }
        == "60 ticks since 2026-03-01T12:01:00Z are not decided yet: no daemon since"
        + " 2026-03-01T12:00:00Z")
    #expect(undecided?.through == (try stage.now))
  }

  @Test func `a daemon that is alive may decide the ticks of its next pass, others are late`()
    throws
  {
    try stage.pass(.seconds(60))
    try show()
    let pending = try healthSnapshot().diagnoses(of: [.sample()], at: stage.now).first?.undecided
    try stage.pass(.seconds(120))
    try show()
    let late = try healthSnapshot().diagnoses(of: [.sample()], at: stage.now).first?.undecided

    #expect(pending == nil)
    #expect(late?.reason == .late)
    #expect(late?.count == 2)
  }

  @Test func `a job that was only ever run by hand has no tick that anybody waits for`() throws {
    try stage.connection.run("DELETE FROM jobkit.schedule")
    try stage.pass(.seconds(3600))

    #expect(
      try healthSnapshot().diagnoses(of: [.sample()], at: stage.now).map(\.undecided) == [nil])
  }

  @Test func `daemons without its code do not decide its ticks`() throws {
    try stage.pass(.seconds(60))
    _ = try Ledger.showAlive(
      .sample(1), jobs: ["other"], draining: false, at: stage.now, on: stage.connection)

    let undecided = try healthSnapshot().diagnoses(of: [.sample()], at: stage.now).first?.undecided

    #expect(
      undecided.map { "\($0)" }
        == "1 tick since 2026-03-01T12:01:00Z is not decided yet: no daemon alive has code for it")
  }

  @Test func `an absence lasts from when the last daemon was there to when one is back`() throws {
    try show(1)
    try stage.pass(.seconds(15))
    try show(2)
    let start = try stage.now
    try stage.pass(.seconds(600))
    let during = try healthSnapshot()
    try show(3)
    let end = try stage.now
    try stage.pass(.seconds(15))
    try show(3)

    #expect(during.lastSeen == start)
    #expect(try outages() == [start..<end])
  }

  @Test func `an absence begins with the end of the last daemon that ended in good order`() throws {
    try show(1)
    try stage.pass(.seconds(10))
    try Ledger.forget(.sample(1), at: stage.now, on: stage.connection)
    let end = try stage.now
    try stage.pass(.seconds(600))

    #expect(try healthSnapshot().lastSeen == end)
  }

  @Test func `a restart within 45 seconds is no absence, nor is a daemon that notes nothing`()
    throws
  {
    try show(1)
    try stage.pass(.seconds(45))
    try show(2)
    try stage.pass(.seconds(600))
    // As a daemon of the version before does it.
    try stage.connection.run(
      "UPDATE jobkit.daemon SET seen_at = \(try stage.now) WHERE name = \(DaemonID.sample(1).text)"
    )
    try show(3)

    #expect(try outages().isEmpty)
  }

  private func outages() throws -> [Range<Instant>] {
    let now = try stage.now
    return try Ledger.outages(
      from: now - .seconds(86_400), to: now, at: now, on: stage.connection
    ).map(\.range)
  }

  @Test func `the run of a tick is that tick's, not an older one's`() throws {
    try end(["succeeded", "succeeded"])
    let first = try Instant("2026-03-01T12:01:00Z")

    #expect(try Ledger.run(ofTick: first, of: "sample", on: stage.connection)?.id == 1)
    let later = try Ledger.run(ofTick: stage.now + .seconds(60), of: "sample", on: stage.connection)
    #expect(later == nil)
  }

  @Test func `a tick among collapsed ones is that row's`() throws {
    let now = try stage.now
    try stage.connection.run(
      """
      INSERT INTO jobkit.run (job, scheduled_for, first_tick, ticks, trigger, state, fate, reason,
        parts_left, decided_at, decided_by, finished_at)
      VALUES ('sample', \(now + .seconds(600)), \(now + .seconds(60)), 10, 'schedule', 'collapsed',
        'missed', 'missed: no daemon was looking', 0, \(now), 'test', \(now))
      """)

    for seconds in [60, 300, 600] {
      let run = try Ledger.run(
        ofTick: now + .seconds(seconds), of: "sample", on: stage.connection)
      #expect(run?.id == 1)
    }
    #expect(try Ledger.run(ofTick: now, of: "sample", on: stage.connection) == nil)
  }

  @Test func `the newest tick before a moment is by the schedule of then`() throws {
    let hourly = Schedule(written: "every 1h; UTC", zones: stage.zones)
    let change = try Instant("2026-03-01T12:00:00Z")
    let history = ScheduleHistory(
      [(try Instant("2026-03-01T00:00:00Z"), "every 5m; UTC"), (change, "every 1h; UTC")],
      present: try #require(hourly), knownSince: change, zones: stage.zones)

    for (moment, tick) in [
      ("11:59", "11:55"), ("12:59", "12:00"), ("13:00", "13:00"), ("00:00", nil),
    ] {
      let found = history.newestTick(atOrBefore: try Instant("2026-03-01T\(moment):00Z"))
      #expect(found == (try tick.map { try Instant("2026-03-01T\($0):00Z") }), "\(moment)")
    }
  }
}
