import Glibc
import Postgres
import TestSupport
import Testing

/// What becomes of the parts that go on at once in a run by hand, when something goes wrong.
@Suite("The workers of a run by hand")
struct RunWorkersTests {
  @Test func `when the first is lost the others release their parts, and --resume goes on`() throws
  {
    // A pooler would not tell its clients that one of its sessions is gone.
    let rehearsal = try Rehearsal(on: try PrivateServer())
    try rehearsal.run(
      "CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(1); RETURN NEW; END $$"
    )
    try rehearsal.run(
      """
      CREATE TRIGGER wait BEFORE INSERT ON rehearsal FOR EACH ROW WHEN (NEW.part = 1)
        EXECUTE FUNCTION wait()
      """)
    let run = try rehearsal.start(["run", "rehearse", "--for", "2026-03-01T10:00:00Z"])

    // Done with its own part, the first asks again and again whether the other is over.
    try rehearsal.wait(
      for: 1,
      of: """
        SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE 'SELECT run.*%'
        """)

    #expect(try run.status() >> 8 == 69)
    #expect(rehearsal.log.split(separator: "part 1 (of 2): released").count == 2)
    #expect(try rehearsal.number("SELECT count(*) FROM jobkit.part WHERE state = 'due'") == 1)
    try rehearsal.run("DROP TRIGGER wait ON rehearsal")
    let resumed = try rehearsal.program("run", "rehearse", "--resume")
    #expect(resumed.exitCode == 0, "\(resumed.errors)")
    #expect(resumed.output.hasPrefix("run 1 succeeded in "))
    #expect(try rehearsal.losses() == [])
  }

  @Test func `Ctrl-C ends it although they have all the connections that its role may have`() throws
  {
    let server = try PrivateServer()
    try server.connect().run("CREATE ROLE app_worker LOGIN")
    let rehearsal = try Rehearsal(on: server)
    try rehearsal.write(settings: settings(server.url()))
    #expect(try rehearsal.program("migrate", "up").exitCode == 0)
    try rehearsal.run("GRANT INSERT ON rehearsal TO app_worker")
    try rehearsal.slowDown(by: 3, failingOnce: false)
    // For the command, its maintenance loop and two workers; Ctrl-C would be told on a fifth.
    try rehearsal.run("ALTER ROLE app_worker CONNECTION LIMIT 4")
    try rehearsal.write(settings: settings(server.url(user: "app_worker")))
    let run = try rehearsal.start(["run", "rehearse"])
    try rehearsal.wait(
      for: 4, of: "SELECT count(*) FROM pg_stat_activity WHERE usename = 'app_worker'")
    try rehearsal.waitForChunk()

    run.send(SIGINT)

    #expect(try run.status() >> 8 == 130)
    #expect(
      try rehearsal.number(
        "SELECT count(*) FROM jobkit.run WHERE reason = 'cancelled by ' || cancel_asked_by") == 1)
  }

  /// Of a run in more parts than are worked at at once.
  private func settings(_ url: String) -> String {
    """
    workers = 2
    [database]
    url = "\(url)"
    worker_role = "app_worker"
    [jobs.rehearse]
    parts = 3

    """
  }
}
