@testable import JobKit
@testable import Ledger
@testable import Runner

import LocalTime
import Postgres
import TestKit
import TestSupport
import Testing

@Suite("How the schedule stands")
struct HealthSnapshotTests {
  private let stage: Stage

  init() throws {
    stage = try Stage(at: "2026-03-01T12:00:00Z")
    try stage.connection.run(
      "INSERT INTO jobkit.job (name, known_since, decided_until) VALUES ('sample', \(try stage.now), \(try stage.now))"
    )
  }

  private func healthSnapshot(by daemon: UInt32 = 1) throws -> HealthSnapshot {
    try Ledger.showAlive(
      .sample(daemon), jobs: ["sample"], draining: false, isFirst: true, at: stage.now,
      on: stage.connection)
  }

  private func problems(_ job: ScheduledJob? = nil) throws -> [String] {
    let job = try job ?? .sample()
    return try healthSnapshot().problems(of: [job], at: stage.now).map(\.description)
  }

  @Test func `a daemon that asks is alive, and nothing is wrong at first`() throws {
    let snapshot = try healthSnapshot()

    #expect(snapshot.daemons == 1 && snapshot.draining == 0)
    #expect(snapshot.jobs.map(\.hasDaemon) == [true])
    #expect(try problems() == [])
  }

  @Test(arguments: [(359, false), (360, false), (361, true)])
  func `a tick without a row is late once its limit is over`(seconds: Int, isLate: Bool) throws {
    try stage.pass(.seconds(seconds))

    #expect(
      try problems()
        == (isLate
          ? [
            "sample: its tick of 2026-03-01T12:01:00Z is 5m1s late and has no row: is a daemon alive that"
              + " decides?"
          ] : []))
  }

  @Test func `a job has the limit that its settings give it`() throws {
    try stage.pass(.seconds(100))

    let job = try ScheduledJob.sample { $0.lateAfter = .seconds(30) }

    #expect(try problems(job).count == 1)
  }

  @Test func `a disabled job is never late`() throws {
    try stage.pass(.seconds(86_400))

    #expect(try problems(.sample(isEnabled: false)) == [])
  }

  @Test func `a run that no worker begins is late, its put-off not counted`() throws {
    try stage.connection.run(
      """
      INSERT INTO jobkit.run (job, scheduled_for, trigger, state, decided_at, decided_by)
      VALUES ('sample', \(try stage.now), 'schedule', 'due', \(try stage.now), 'test')
      """)
    try stage.pass(.seconds(301))
    try stage.connection.run("UPDATE jobkit.job SET decided_until = \(try stage.now)")

    let put = try ScheduledJob.sample { $0.jitter = .seconds(86_400) }

    #expect(
      try problems() == [
        "sample: run 1 is 5m1s late and no worker has begun it: 'worker ps' shows what they are at"
      ])
    #expect(try problems(put) == [])
  }

  @Test(arguments: [true, false])
  func `an old run that is retried or approved is not late`(isRetried: Bool) throws {
    var scheduler = try stage.scheduler(.sample())
    try stage.pass(.seconds(60))
    _ = try scheduler.pass(at: stage.now, on: stage.connection)
    let part = try stage.claimOne()
    if isRetried {
      try stage.finish(part, as: .failed("no"))
    } else {
      try Ledger.hold(
        part.claim, planned: 5, because: "too many", at: stage.clock.reading, on: stage.connection)
    }
    try stage.pass(.seconds(2 * 86_400))
    try stage.connection.run("UPDATE jobkit.job SET decided_until = \(try stage.now)")

    let isDue =
      try isRetried
      ? Ledger.retry(1, at: stage.now, on: stage.connection)
      : Ledger.approve(1, by: "ana", at: stage.now, on: stage.connection)

    #expect(isDue)
    #expect(try stage.state() == "due due")
    #expect(try problems() == [])
  }

  @Test func `a run that is held, a pause that is forgotten, a job without a daemon`() throws {
    try stage.connection.run(
      """
      INSERT INTO jobkit.run (job, scheduled_for, trigger, state, reason, decided_at, decided_by)
      VALUES ('sample', \(try stage.now), 'schedule', 'held', 'too many', \(try stage.now), 'test')
      """)
    try stage.connection.run(
      """
      UPDATE jobkit.job SET paused_at = \(try stage.now), paused_by = 'ana', pause_reason = 'why'
      """)
    try stage.connection.run(
      """
      INSERT INTO jobkit.job (name, known_since, decided_until)
      VALUES ('other', \(try stage.now), \(try stage.now))
      """)
    try stage.pass(.seconds(86_401))
    try stage.connection.run("UPDATE jobkit.job SET decided_until = \(try stage.now)")

    #expect(
      try problems() == [
        "other: no daemon alive has code for it; 'worker retire other' retires a job that is gone for good",
        "sample: run 1 has been held for 1d1s: 'worker show 1' says why, 'worker approve 1' lets it go on",
        "sample: paused by ana for 1d1s without an end: 'worker resume sample' ends it",
      ])
  }

  @Test(arguments: [(true, true, 1), (true, false, 0), (false, true, 0)])
  func `an enabled job without a row is a problem once a daemon is through with a pass`(
    isReady: Bool, isEnabled: Bool, count: Int
  ) throws {
    try stage.connection.run("DELETE FROM jobkit.job")
    let snapshot = try Ledger.showAlive(
      .sample(1), jobs: ["sample"], ready: isReady, draining: false, at: stage.now,
      on: stage.connection)

    let problems = try snapshot.problems(of: [.sample(isEnabled: isEnabled)], at: stage.now)

    #expect(
      problems.map(\.description)
        == Array(
          repeating: "sample: it is enabled and has no row in jobkit.job, so its ticks are not"
            + " decided: a daemon that has this job in its settings enters it with its next pass",
          count: count))
    #expect(problems.allSatisfy { $0.word == "unentered" && $0.job == "sample" })
  }

  @Test(arguments: [(3600, false), (3601, true)])
  func `a pause may last as long as the settings say`(seconds: Int, isForgotten: Bool) throws {
    try stage.connection.run(
      "UPDATE jobkit.job SET paused_at = \(try stage.now), paused_by = 'ana', pause_reason = 'why'")
    try stage.pass(.seconds(seconds))
    try stage.connection.run("UPDATE jobkit.job SET decided_until = \(try stage.now)")
    let job = ScheduledJob(
      name: "sample", schedule: try ScheduledJob.sample().schedule, pausedAfter: .seconds(3600))

    #expect(try problems(job).count == (isForgotten ? 1 : 0))
  }

  @Test func `a pause that ends by itself is no problem`() throws {
    try stage.connection.run(
      """
      UPDATE jobkit.job SET paused_at = \(try stage.now), paused_by = 'ana', pause_reason = 'why',
        paused_until = '2999-01-01'
      """)
    try stage.pass(.seconds(2 * 86_400))
    try stage.connection.run("UPDATE jobkit.job SET decided_until = \(try stage.now)")

    #expect(try problems() == [])
  }

  @Test func `who is no daemon sees those that were seen lately`() throws {
    _ = try healthSnapshot(by: 1)
    try stage.pass(.seconds(44))
    let alive = try Ledger.healthSnapshot(at: stage.now, on: stage.connection)
    try stage.pass(.seconds(1))
    let gone = try Ledger.healthSnapshot(at: stage.now, on: stage.connection)

    #expect(alive.daemons == 1 && alive.jobs.map(\.hasDaemon) == [true])
    #expect(gone.daemons == 0)
    #expect(
      gone.problems(of: [], at: try stage.now).map(\.description) == [
        "no daemon since 2026-03-01T12:00:00Z: nothing is decided and nothing runs"
      ])
  }

  @Test func `the latest success is the ledger's, of whatever daemon`() throws {
    try stage.connection.run(
      """
      INSERT INTO jobkit.run
        (job, scheduled_for, trigger, state, reason, decided_at, decided_by, started_at, finished_at, parts_left)
      SELECT 'sample', moment, 'schedule', CASE n WHEN 0 THEN 'succeeded' ELSE 'failed' END, 'why',
        moment, 'test', moment, moment + interval '1 second', 0
      FROM generate_series(0, 30) AS n, LATERAL (SELECT \(try stage.now) + n * interval '1 minute')
        AS at (moment)
      """)

    let snapshot = try healthSnapshot()
    let query = try Ledger.showAlive(
      .sample(1), jobs: ["sample"], draining: true, isFirst: false, at: stage.now,
      on: stage.connection)

    #expect(snapshot.jobs.first?.lastSuccess == (try Instant("2026-03-01T12:00:01Z")))
    #expect(query.jobs.first?.lastSuccess == nil)
    #expect(query.draining == 1)
  }
}
