import Postgres
import TestSupport
import Testing

/// What the doctor says of jobs that fail, and of a database in which there are none yet.
@Suite("worker doctor about jobs")
struct DoctorJobsTests {
  private let practice: Practice

  init() throws { practice = try Practice() }

  @Test func `a job whose runs all failed is a problem, also when people began them`() throws {
    let database = try TestDatabase.migrated()
    let well = try practice.doctor(at: database.url, "--only", "failures")
    try database.connect().run(
      script: """
        INSERT INTO jobkit.job (name, known_since, decided_until)
          VALUES ('settle_rewards', now(), now());
        INSERT INTO jobkit.run (job, scheduled_for, trigger, state, parts_left, decided_at, decided_by,
            started_at, finished_at)
          SELECT 'settle_rewards', moment, 'manual', 'failed', 0, moment, 'ana', moment, moment
          FROM generate_series('2026-03-01Z'::timestamptz, '2026-03-02Z', '1 day') AS moment;
        INSERT INTO jobkit.part (run, number, job, state, not_before, finished_at, error)
          SELECT id, 0, job, 'failed', finished_at, finished_at, 'no space left' FROM jobkit.run;
        """)

    let ill = try practice.doctor(
      at: database.url, "--only", "failures", settings: "[time]\nzone = \"Asia/Seoul\"")

    #expect(well.output.hasPrefix("ok       failures: no job fails in all of its latest runs\n"))
    #expect(
      ill.output.contains(
        "failures: settle_rewards: its last 2 runs failed, since 2026-03-01 09:00 (+09:00): no space"
          + " left"
      ))
    #expect(ill.exitCode == 1)
  }

  @Test func `a database that was not migrated is one problem, not one of each job`() throws {
    let database = try TestDatabase()

    let all = try practice.doctor(
      at: database.url, "--only", "schema", "--only", "daemons", "--only", "tables", "--only",
      "failures")
    let tables = try practice.doctor(at: database.url, "--only", "tables")

    let notes = "note     schema: not looked at without it: "
    #expect(all.output.contains("\n\(notes)daemons, tables, failures\n"), "\(all.output)")
    #expect(all.output.contains("\n\n2 problems, 0 warnings, 1 note"), "\(all.output)")
    #expect(tables.output.contains("\n\(notes)tables\n"))
    #expect(tables.output.hasPrefix("problem  schema: "), "\(tables.output)")
  }
}
