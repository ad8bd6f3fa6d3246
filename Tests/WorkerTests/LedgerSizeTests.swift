import JobKit
import Jobs
import Ledger
import LocalTime
import Migrations
import Postgres
import TestSupport
import Testing

/// A ledger as twenty jobs leave it, half a million runs a year and more, and what it weighs.
@Suite("The size of the ledger")
struct LedgerSizeTests {
  private let database: TestDatabase
  private let folder: ScratchFolder

  /// How many of them are lived through: twice as many as a run that went well is remembered.
  private static let days = 30

  init() throws {
    database = try TestDatabase()
    folder = try ScratchFolder()
    try folder.write("[database]\nurl = \"\(database.url)\"\n", to: "worker.toml", mode: 0o644)
  }

  @Test func `what a year of twenty jobs leaves is under 50 MB`() throws {
    let connection = try database.connect()
    // As a claim does it: a bitmap would go over all again that is dead since the last vacuum.
    try connection.run("SET enable_bitmapscan = off")
    let end = try Instant("2027-01-01T00:00:00Z")
    let schema = Schema()
    try schema.migrate(by: "test", at: end - .seconds(400 * 86_400), on: connection)
    try connection.makeProcedure()
    try connection.enterJobs(at: end - .seconds(400 * 86_400))
    try connection.failLongAgo(
      from: end - .seconds(365 * 86_400), through: end - Self.day * (Self.days + 1))

    for day in (0..<Self.days).reversed() {
      let start = end - Self.day * (day + 1)
      try connection.run("CALL live_through(\(start))", within: .hang)
      try connection.tidyUp(at: end - Self.day * day)
    }

    let megabytes = try connection.bytes() / 1_000_000
    let runs = try connection.run("SELECT count(*) AS n FROM jobkit.run").only["n", as: Int.self]
    try Schema.learning.migrate(by: "test", at: end, on: connection)
    let shown = try Program(
      "runs",
      variables: ["WORKER_CONFIG": folder.path + "/worker.toml", "TZDIR": TestEnvironment.zoneinfo])
    print("the ledger after a year: \(runs) runs, \(megabytes) MB")
    #expect(megabytes < 50)
    // ViewCostTests count the pages that this reads.
    #expect(shown.output.split(separator: "\n").count == 51, "\(shown.errors)")
  }

  private static let day = Duration.seconds(86_400)
}

extension Connection {
  /// Twenty jobs: two of each minute, two of five minutes, two of a quarter, the others hourly or daily.
  fileprivate func enterJobs(at now: Instant) throws {
    try run(
      """
      CREATE TABLE rhythm AS
      SELECT 'job_' || number AS job, CASE
        WHEN number <= 2 THEN interval '1 minute' WHEN number <= 4 THEN interval '5 minutes'
        WHEN number <= 6 THEN interval '15 minutes' WHEN number <= 13 THEN interval '1 hour'
        ELSE interval '1 day' END AS pace
      FROM generate_series(1, 20) AS number
      """)
    try run(
      """
      INSERT INTO jobkit.job (name, known_since, decided_until) SELECT job, \(now), \(now) FROM rhythm
      """)
  }

  /// One tick in a hundred has failed, all year: failures are remembered longest.
  fileprivate func failLongAgo(from start: Instant, through end: Instant) throws {
    try run(
      """
      WITH run AS (
        INSERT INTO jobkit.run (job, scheduled_for, trigger, state, parts_left, parts_failed,
          decided_at, decided_by, started_at, finished_at, version, settings_hash)
        SELECT job, moment, 'schedule', 'failed', 0, 1, moment, 'host:1:abcdef', moment, moment,
          '0.1.0 0123456789ab', '0123456789abcdef'
        FROM rhythm, generate_series(\(start), \(end), pace * 100) AS moment
        RETURNING id, job, scheduled_for
      )
      INSERT INTO jobkit.part (run, number, job, state, not_before, finished_at, failures, error)
      SELECT id, 0, job, 'failed', scheduled_for, scheduled_for, 5,
        'relation "learner" does not exist: somebody dropped it' FROM run
      """)
  }

  /// Teaches the database to live through a day as a daemon does: each minute its runs, and each of
  /// their states in a transaction of its own; two ticks in a hundred are skipped.
  fileprivate func makeProcedure() throws {
    try run(script: LedgerSizeTests.procedure)
  }

  /// What the daemon's heart does each hour, and autovacuum when a fifth of a table is dead.
  fileprivate func tidyUp(at now: Instant) throws {
    while try Ledger.purge(Retention(), limit: 1000, at: now, on: self) == 1000 {}
    try run("VACUUM jobkit.run")
    try run("VACUUM jobkit.part")
  }

  /// What the whole schema takes on disk.
  fileprivate func bytes() throws -> Int {
    try run(
      """
      SELECT sum(pg_total_relation_size(pg_class.oid))::bigint AS bytes
      FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
      WHERE nspname = 'jobkit' AND relkind = 'r'
      """
    ).only["bytes"]
  }
}

extension LedgerSizeTests {
  fileprivate static let procedure = """
    CREATE PROCEDURE live_through(day timestamptz) LANGUAGE plpgsql AS $$
    DECLARE minute timestamptz;
    BEGIN
      FOR minute IN SELECT generate_series(day, day + interval '1439 minutes', '1 minute') LOOP
        WITH tick AS (
          SELECT job, extract(epoch FROM minute)::bigint / 60 % 50 = 7 AS is_skipped FROM rhythm
          WHERE extract(epoch FROM minute)::bigint % extract(epoch FROM pace)::bigint = 0
        ), run AS (
          INSERT INTO jobkit.run (job, scheduled_for, trigger, state, reason, parts, parts_left,
            decided_at, decided_by, start_before, finished_at)
          SELECT job, minute, 'schedule', CASE WHEN is_skipped THEN 'skipped' ELSE 'due' END,
            CASE WHEN is_skipped THEN 'overlap: an earlier run is not over' END,
            (NOT is_skipped)::integer, (NOT is_skipped)::integer, minute, 'host:1:abcdef',
            minute + interval '1 hour', CASE WHEN is_skipped THEN minute END
          FROM tick RETURNING id, job, state
        )
        INSERT INTO jobkit.part (run, number, job, state, not_before)
        SELECT id, 0, job, 'due', minute FROM run WHERE state = 'due';
        COMMIT;
        UPDATE jobkit.part SET state = 'running', daemon = 'host:1:abcdef', epoch = 1,
          lease_until = not_before, started_at = not_before WHERE state = 'due';
        UPDATE jobkit.run SET state = 'running', started_at = minute,
          version = '0.1.0 0123456789ab', settings_hash = '0123456789abcdef' WHERE state = 'due';
        COMMIT;
        UPDATE jobkit.part SET state = 'succeeded', daemon = NULL, lease_until = NULL,
          finished_at = minute, cursor = '1000000', done = 1000, total = 1000,
          counter_names = '{looked_at,changed,left_alone}', counter_values = '{1000,17,983}'
        WHERE state = 'running';
        UPDATE jobkit.run SET state = 'succeeded', parts_left = 0, finished_at = minute
        WHERE state = 'running';
        COMMIT;
      END LOOP;
    END $$
    """
}
