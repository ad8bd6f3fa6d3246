@testable import JobKit
@testable import Ledger
@testable import Runner
@testable import Settings

import LocalTime
import Postgres
import TestKit
import TestSupport
import Testing

@Suite("Retention")
struct RetentionTests {
  /// A ledger at noon of 2026-12-31.
  private func stage() throws -> Stage {
    let stage = try Stage(at: "2026-12-31T12:00:00Z")
    try Ledger.enter(["sample", "other"], at: stage.now, on: stage.connection)
    return stage
  }

  /// Enters a run of each of these ages, counted from its end, which never ran unless it says so.
  private func enter(
    _ state: String, ages: [Int], of job: JobName = "sample", ran: Bool = false,
    scheduled earlier: Int = 0, in stage: Stage
  ) throws {
    try stage.connection.run(
      """
      INSERT INTO jobkit.run (job, scheduled_for, trigger, state, reason, parts, parts_left,
        decided_at, decided_by, started_at, finished_at)
      SELECT \(job), moment - \(earlier) * interval '1 day', 'manual', state, 'test', 1,
        is_open::integer, moment, 'test',
        CASE WHEN \(ran) OR state IN ('running', 'succeeded') THEN moment END,
        CASE WHEN NOT is_open THEN moment END
      FROM unnest(\(ages)) AS age, LATERAL (SELECT \(try stage.now) - age * interval '1 day',
        \(state), \(state) IN ('due', 'running')) AS run (moment, state, is_open)
      """)
  }

  /// Keeps few runs for being the newest, so that their ages are seen to count.
  private func retention(newest: Int = 1) -> Retention {
    var retention = Retention()
    retention.newest = newest
    return retention
  }

  private func purge(_ retention: Retention, limit: Int = 1000, in stage: Stage) throws -> Int {
    try Ledger.purge(retention, limit: limit, at: stage.now, on: stage.connection)
  }

  private func ages(in stage: Stage) throws -> [Int] {
    try stage.connection.run(
      """
      SELECT extract(day FROM \(try stage.now) - finished_at)::bigint AS age FROM jobkit.run
      ORDER BY age
      """
    ).map { try $0["age"] }
  }

  @Test func `a batch that takes longer than the maintenance loop may is halved until it does not`()
    throws
  {
    let stage = try stage()
    try enter("skipped", ages: Array(31...46), in: stage)
    try stage.connection.run(
      script: """
        CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN PERFORM pg_sleep(0.05); RETURN OLD; END $$;
        CREATE TRIGGER slow BEFORE DELETE ON jobkit.run FOR EACH ROW EXECUTE FUNCTION slow();
        """)
    var server = try Server(stage.database.url)
    server.statementLimit = .milliseconds(500)
    let maintenance = try Connection(to: server)
    let log = Log(from: .error, now: { Instant(microseconds: 0) }) { line in
      Issue.record("the log says: \(line)")
    }

    var purger = RetentionPurger()
    for _ in 0..<40 where try !ages(in: stage).isEmpty {
      // So many parts that the first batch has all sixteen runs.
      try purger.pass(
        retention(), of: ["sample"], parts: 625, at: stage.now, log: log, on: maintenance)
    }

    #expect(try ages(in: stage) == [])
  }

  @Test(arguments: [
    ("succeeded", [0, 9, 10], [11, 1000]), ("failed", [179, 180], [181]),
    ("cancelled", [179, 180], [181]), ("skipped", [29, 30], [31]), ("missed", [29, 30], [31]),
  ])
  func `a run is remembered as long as its outcome deserves`(
    state: String, kept: [Int], forgotten: [Int]
  ) throws {
    let stage = try stage()
    try enter(state, ages: kept + forgotten, in: stage)

    let deleted = try purge(retention(), in: stage)

    #expect(deleted == forgotten.count)
    #expect(try ages(in: stage) == kept)
  }

  @Test func `how long is what the settings say`() throws {
    let stage = try stage()
    for state in ["succeeded", "failed", "skipped"] {
      try enter(state, ages: [0, 2, 4], in: stage)
    }
    let settings = try SampleSettings.load(
      "[retention]\nsucceeded = \"3d\"\nfailed = \"1d\"\nnever_ran = \"5d\"\nnewest = 1"
    ).settings

    let deleted = try purge(settings.retention, in: stage)

    #expect(deleted == 3)
    #expect(try ages(in: stage) == [0, 0, 0, 2, 2, 4])
  }

  @Test(arguments: ["due", "running"])
  func `a run that is not over is never forgotten`(state: String) throws {
    let stage = try stage()
    try enter(state, ages: [1000], in: stage)

    #expect(try purge(retention(), in: stage) == 0)
  }

  @Test func `the newest runs of each job that ran are kept, however old`() throws {
    let stage = try stage()
    try enter("succeeded", ages: [300, 400, 500], in: stage)
    try enter("failed", ages: [350], ran: true, in: stage)
    try enter("skipped", ages: [100], in: stage)
    try enter("succeeded", ages: [900], of: "other", in: stage)

    let deleted = try purge(retention(newest: 2), in: stage)

    #expect(deleted == 3)
    #expect(try ages(in: stage) == [300, 350, 900])
  }

  @Test func `a run counts from its end, whatever moment it stands for`() throws {
    let stage = try stage()
    try enter("succeeded", ages: [1, 2, 3], scheduled: 400, in: stage)

    #expect(try purge(retention(), in: stage) == 0)
  }

  @Test func `the runs of a job are forgotten by who has code for it`() throws {
    let stage = try stage()
    for (state, ages) in [("failed", [91, 181]), ("skipped", [31, 181])] {
      try enter(state, ages: ages, in: stage)
    }
    let now = try stage.now
    func purge(_ jobs: [JobName]) throws -> Int {
      try Ledger.purge(retention(), of: jobs, at: now, on: stage.connection)
    }
    try Ledger.showAlive(
      .sample(7), jobs: ["sample"], draining: false, at: now, on: stage.connection)

    #expect(try purge(["other"]) == 0)
    try Ledger.forget(.sample(7), at: now, on: stage.connection)
    #expect(try purge(["other"]) == 2, "of nobody's jobs only what is older than anything may be")
    #expect(try purge(["sample"]) == 1)
    #expect(try ages(in: stage) == [91])
  }

  @Test func `a batch is no larger than it may be, and the oldest go first`() throws {
    let stage = try stage()
    try enter("succeeded", ages: [100, 200, 300, 400], in: stage)

    #expect(try purge(retention(), limit: 2, in: stage) == 2)
    #expect(try ages(in: stage) == [100, 200])
  }

  @Test func `a run goes with its parts`() throws {
    let stage = try stage()
    try stage.enter(parts: 3)
    for part in try stage.claim(3) { try stage.finish(part) }
    try stage.pass(.seconds(15 * 86_400))
    try enter("succeeded", ages: [0], in: stage)

    #expect(try purge(retention(), in: stage) == 1)
    #expect(try stage.count("SELECT count(*) FROM jobkit.part") == 0)
  }
}
