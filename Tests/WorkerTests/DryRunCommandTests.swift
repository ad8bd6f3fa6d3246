import Postgres
import TestSupport
import Testing

/// What `worker run --dry-run` tells, with the real program on a real database.
@Suite("worker run --dry-run")
struct DryRunCommandTests {
  private let database: TestDatabase
  private let folder: ScratchFolder

  init() throws {
    database = try TestDatabase()
    folder = try ScratchFolder()
    try folder.write(
      "[database]\nurl = \"\(database.url)\"\n", to: "worker.toml", mode: 0o644)
    try database.connect().run(
      "CREATE TABLE rehearsal (moment timestamptz, part bigint, chunk bigint)")
    #expect(try worker("migrate", "up").exitCode == 0)
  }

  private func worker(_ words: String...) throws -> Program {
    try Program(
      words: words,
      variables: [
        "WORKER_CONFIG": folder.path + "/worker.toml", "WORKER_REHEARSAL": "rehearse",
        "TZDIR": TestEnvironment.zoneinfo,
      ], isRehearsal: true)
  }

  @Test func `a dry run says what would change in which table, and keeps nothing`() throws {
    let run = try worker("run", "rehearse", "--dry-run")

    #expect(
      run.output == """
        part 1 of 2: would succeed: rehearsed (chunks 5)
          would insert 5 rows in public.rehearsal
        part 2 of 2: would succeed: rehearsed (chunks 5)
          would insert 5 rows in public.rehearsal
        nothing of this was kept: it was a dry run

        """)
    #expect(run.exitCode == 0)
    #expect(try database.connect().run("SELECT count(*) FROM rehearsal").only[0] == 0)
    #expect(try worker("runs").output == "no such run\n")
  }

  @Test func `a dry run tells machines the same`() throws {
    let run = try worker("run", "rehearse", "--dry-run", "--json")

    #expect(run.output.hasPrefix("{\n  \"job\": \"rehearse\",\n"))
    #expect(
      run.output.contains(
        """
              "changes": [
                {
                  "table": "public.rehearsal",
                  "inserted": 5,
                  "updated": 0,
                  "deleted": 0
                }
              ],
        """))
    #expect(run.output.hasSuffix("  \"last_succeeded\": null\n}\n"))
    #expect(run.exitCode == 0)
  }

  @Test func `a dry run that would fail says why, and changes nothing`() throws {
    try database.connect().run("DROP TABLE rehearsal")

    let run = try worker("run", "rehearse", "--dry-run")

    #expect(run.output.hasPrefix("part 1 of 2: would fail: "))
    #expect(run.output.contains("relation \"rehearsal\" does not exist"))
    #expect(!run.output.contains("would insert"))
    #expect(run.exitCode == 1)
  }
}
