@testable import JobKit
@testable import Ledger
@testable import Runner

import LocalTime
import Postgres
import TestKit
import TestSupport
import Testing

/// Two versions of the program on one ledger: other jobs, other policies.
@Suite("Two versions on one ledger")
struct TwoVersionsTests {
  @Test func `a daemon leaves alone what it has no code for, however dead it looks`() throws {
    let site = try Site()
    try site.leaveOpenWork(of: "fresh")
    let left = try site.rows(of: "fresh")

    let old = try site.daemon()
    old.start()
    try site.awaitSuccesses(4)
    old.drain(within: .hang)
    let stillLeft = try site.rows(of: "fresh")
    let new = try site.daemon(of: "fresh", every: .seconds(3600))
    new.start()
    try site.wait(
      for: 1,
      of: """
        SELECT (count(*) FILTER (WHERE finished_at IS NULL) = 0)::integer FROM jobkit.run
        WHERE job = 'fresh'
        """)
    new.drain(within: .hang)

    #expect(left.count == 4)
    #expect(stillLeft == left)
    #expect(
      try site.states(of: "fresh") == ["succeeded", "succeeded", "missed"],
      "who has the code puts all in order, and forgets what is too old")
  }

  @Test func `a scheduler decides no tick of a job that it does not know`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    _ = try stage.scheduler(.sample("fresh"), .sample())
    stage.clock.turn(to: try Instant("2026-03-01T10:01:00Z"))

    var old = try stage.scheduler(.sample(), daemon: "old")
    _ = try old.pass(at: stage.now, on: stage.connection)
    var new = try stage.scheduler(.sample("fresh"), .sample(), daemon: "new")
    _ = try new.pass(at: stage.now, on: stage.connection)

    #expect(
      try stage.connection.run(
        "SELECT job || ' by ' || decided_by AS who FROM jobkit.run ORDER BY job"
      ).map { try $0["who", as: String.self] } == ["fresh by new", "sample by old"])
  }

  @Test func `a tick that makes room asks only its own job to stop`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    for job in ["sample", "fresh"] as [JobName] {
      try stage.enter(job)
      _ = try stage.claim(of: [job])
    }
    var scheduler = try stage.scheduler(.sample { $0.overlap = .cancelOther })

    try stage.pass(.seconds(60))
    _ = try scheduler.pass(at: stage.now, on: stage.connection)

    #expect(
      try stage.text(
        "SELECT string_agg(job, ' ') FROM jobkit.run WHERE cancel_asked_at IS NOT NULL")
        == "sample")
  }

  @Test(arguments: [(0, "failed failed"), (5, "succeeded succeeded")])
  func `how often a part may lose its worker is said by who runs it next, not by who rescued it`(
    mostLosses: Int, state: String
  ) throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter()
    _ = try stage.claimOne(by: 7)
    try stage.pass(.seconds(60))
    var policies = Policies()
    policies.retry = Retry(workerLosses: mostLosses)
    let job = Rehearsed { _ in Outcome("done") }
    var heir = try stage.worker(1, WorkerPool.Member(job: job, policies: policies))

    _ = try stage.rescue()
    let rescued = try stage.state()
    _ = try heir.work()

    #expect(rescued == "running due")
    #expect(try stage.state() == state)
  }

  @Test(arguments: [(1, "failed failed"), (5, "running due")])
  func `how often a part is tried again is said by the worker whose try failed`(
    tries: Int, state: String
  ) throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter()
    var (patient, other) = (Policies(), Policies())
    (patient.retry, other.retry) = (Retry(tries: 5), Retry(tries: tries))
    let job = Rehearsed { _ in throw Mishap() }
    var first = try stage.worker(1, WorkerPool.Member(job: job, policies: patient))
    var second = try stage.worker(2, WorkerPool.Member(job: job, policies: other))

    _ = try first.work()
    let afterFirst = try stage.state()
    try stage.pass(.seconds(86_400))
    _ = try second.work()

    #expect(afterFirst == "running due")
    #expect(try stage.state() == state)
  }

  private struct Mishap: Error {}
}

extension Site {
  /// Enters what a daemon with code for `job` has left: a run whose worker is lost, one that is due, one
  /// that is late, one that is too old, and itself, as alive as it last said.
  func leaveOpenWork(of job: JobName) throws {
    let connection = try connect()
    let clock = LedgerClock.database
    try Ledger.enter([job], at: clock.now(on: connection), on: connection)
    try connection.run(
      """
      WITH run AS (
        INSERT INTO jobkit.run (job, scheduled_for, trigger, state, start_before, parts_left,
          decided_at, decided_by, started_at, finished_at)
        SELECT \(job), now() - age::interval, 'manual', state,
          CASE WHEN age = '2h' THEN now() - interval '1 h' END,
          CASE state WHEN 'failed' THEN 0 ELSE 1 END, now(), 'test',
          CASE state WHEN 'running' THEN now() END,
          CASE state WHEN 'failed' THEN now() - age::interval END
        FROM (VALUES ('running', '4h'), ('due', '3h'), ('due', '2h'), ('failed', '199 days'))
          AS run (state, age)
        RETURNING id, state
      )
      INSERT INTO jobkit.part (run, number, job, state, not_before, daemon, lease_until)
      SELECT id, 0, \(job), state, now(), CASE state WHEN 'running' THEN 'lost' END,
        CASE state WHEN 'running' THEN now() - interval '1 h' END
      FROM run WHERE state <> 'failed'
      """)
    try Ledger.showAlive(
      .sample(7), jobs: [job], draining: false, at: clock.now(on: connection), on: connection)
  }

  /// All that the ledger says of the runs of a job, and of their parts.
  fileprivate func rows(of job: JobName) throws -> [String] {
    try connect().run(
      """
      SELECT (run.*)::text || coalesce((part.*)::text, '') AS row
      FROM jobkit.run LEFT JOIN jobkit.part ON part.run = run.id
      WHERE run.job = \(job) ORDER BY run.id
      """
    ).map { try $0["row", as: String.self] }
  }

  fileprivate func states(of job: JobName) throws -> [String] {
    try connect().run("SELECT state FROM jobkit.run WHERE job = \(job) ORDER BY scheduled_for")
      .map { try $0["state", as: String.self] }
  }
}
