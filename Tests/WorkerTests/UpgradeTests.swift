import Glibc
import JobKit
import Jobs
import Ledger
import LocalTime
import Migrations
import Postgres
import TestSupport
import Testing

/// Two builds on one ledger: the new one takes over while the old one is at work.
@Suite("An upgrade without a gap")
struct UpgradeTests {
  private static func ready(_ version: String) -> Statement {
    "SELECT count(*) FROM jobkit.daemon WHERE version = \(version) AND ready_at IS NOT NULL"
  }

  @Test func `under load no tick is lost, and what runs is released at a chunk`() async throws {
    try await onOwnThread {
      let rehearsal = try Rehearsal()
      // So slow that the old daemon is in the middle of its parts when the new one is ready.
      try rehearsal.slowDown(by: 2, failingOnce: false)
      let old = try rehearsal.daemon(of: "old")
      try rehearsal.wait(for: 1, of: "SELECT count(*) FROM rehearsal")
      let new = try rehearsal.daemon(of: "new")

      let handover = try rehearsal.status(of: "handover", "--wait", "30s", as: "new")
      let oldStatus = try old.status()
      let versions = try rehearsal.number("SELECT count(DISTINCT version) FROM jobkit.daemon")
      try rehearsal.run("DROP TRIGGER rehearse_chunk ON rehearsal")
      let newStatus = try rehearsal.rest(new)

      #expect(handover == 0 && oldStatus == 0 && newStatus == 0)
      #expect(versions == 1)
      #expect(try rehearsal.losses() == [])
      #expect(rehearsal.log.contains("released after its last chunk"))
      #expect(
        rehearsal.log.contains(/\nstays: \S+ \(new\)\n\S+ \(old\) has ended\nrun \d+ part \d/))
      #expect(
        try rehearsal.number(
          "SELECT count(*) FROM jobkit.part WHERE epoch > 1 AND state = 'succeeded'") > 0,
        "a part that one began the other ended")
      #expect(try rehearsal.number("SELECT sum(worker_losses)::bigint FROM jobkit.part") == 0)
    }
  }

  @Test func `without a daemon of the new build nobody is asked to end`() throws {
    let rehearsal = try Rehearsal()
    let old = try rehearsal.daemon(of: "old")
    try rehearsal.wait(for: 1, of: Self.ready("old"))

    let status = try rehearsal.status(of: "handover", "--wait", "1s", as: "new")
    let asked = try rehearsal.number(
      "SELECT count(*) FROM jobkit.daemon WHERE drain_asked_at IS NOT NULL")
    let oldStatus = try rehearsal.rest(old)

    #expect(status >> 8 == 75)
    #expect(
      rehearsal.log.contains(
        "worker: no daemon of version new was ready within 1s: nobody was asked to end; start one, and"
          + " see its log and 'worker daemons' when there is one already"))
    #expect(asked == 0 && oldStatus == 0)
    #expect(try rehearsal.losses() == [])
  }

  @Test func `drain ends a daemon wherever it is, with 0, and waits for that`() throws {
    let rehearsal = try Rehearsal()
    let daemon = try rehearsal.daemon(of: "old")
    try rehearsal.wait(for: 1, of: Self.ready("old"))

    let shown = try rehearsal.output(of: "daemons")
    let status = try rehearsal.status(of: "drain", "--all", "--wait", "20s", as: "new")

    #expect(shown.contains(/daemon +version +settings +since \(UTC\) +seen \(UTC\) +jobs +state\n/))
    #expect(shown.contains(/:\d+:\w+ +old +[0-9a-f]+ .* 1 +ready\n/))
    #expect(status == 0)
    #expect(try daemon.status() == 0)
    #expect(rehearsal.log.contains(/\nended: \S+\n/))
    #expect(rehearsal.log.contains("msg=\"told to end by "))
    #expect(try rehearsal.number("SELECT count(*) FROM jobkit.daemon") == 0)
  }

  @Test func `a daemon that does not come to a chunk is named when time is up`() throws {
    let rehearsal = try Rehearsal()
    try rehearsal.slowDown(by: 4, failingOnce: false)
    let daemon = try rehearsal.daemon(of: "old")
    try rehearsal.wait(for: 1, of: "SELECT count(*) FROM jobkit.part WHERE state = 'running'")

    let status = try rehearsal.status(of: "drain", "--all", "--wait", "2s", as: "old")

    #expect(status >> 8 == 75)
    #expect(
      rehearsal.log.contains(
        /still there: \S+; each ends at the next chunks of what it runs, or when its own --drain is over/
      ))
    #expect(try daemon.status() == 0)
  }

  @Test func `a migration that a daemon cannot live with waits for its end, or is forced`() throws {
    let database = try TestDatabase()
    let connection = try database.connect()
    let now = try LedgerClock.database.now(on: connection)
    // The first step is one that no program endures that does not know it.
    let before = Schema([], named: Schema.learning.name, rights: .learning)
    for schema in [Schema(), before] { try schema.migrate(by: "ana", at: now, on: connection) }
    try connection.run(
      """
      INSERT INTO jobkit.daemon (name, host, process, version, settings_hash, jobs, started_at, seen_at,
        draining, schemas)
      VALUES ('db1:17:old', 'db1', 17, '0.9', '1', '{}', \(now), \(now), false,
        \(JSONText("{\"learning\": \(before.newest)}")))
      """)
    let variables = [
      "WORKER_DATABASE_URL": database.url, "WORKER_CONFIG": "/dev/null",
      "TZDIR": try TestEnvironment.zoneinfo,
    ]

    let refused = try Program("migrate", "up", variables: variables)
    let pending = try Schema.learning.pending(on: connection).count
    let forced = try Program("migrate", "up", "--force", variables: variables)

    #expect(refused.exitCode == 75 && pending == Schema.learning.migrations.count)
    #expect(
      refused.errors.contains(
        /takes away what programs that are alive still use: db1:17:old \(version 0\.9, seen \ds ago\)/
      ))
    #expect(forced.exitCode == 0, "\(forced.errors)")
    #expect(try Schema.learning.pending(on: connection).isEmpty)
  }

  @Test func `what docs-upgrade shows runs, in its order`() throws {
    let rehearsal = try Rehearsal()
    let lines = try TextFile.read("docs/upgrade.md").split(separator: "\n")
      .filter { $0.hasPrefix("    worker ") }
      .map { $0.split(separator: " ").dropFirst().map(String.init) }
    var daemon: ChildProcess?

    for words in lines {
      guard words != ["daemon"] else {
        daemon = try rehearsal.daemon(of: "new")
        continue
      }
      #expect(try rehearsal.status(of: words, as: "new") == 0, "\(words): \(rehearsal.log)")
    }

    #expect(lines.count == 6)
    #expect(try daemon?.status() == 0)
  }

  @Test(
    arguments: [
      (
        ["drain"], "it is not clear which daemons are meant: name them, or write --host or --all",
        64
      ),
      (
        ["drain", "db1", "--all"],
        "it is not clear which daemons are meant: name them, or write --host or --all", 64
      ),
      (
        ["drain", "db1:17"],
        "no daemon alive is called 'db1:17': 'worker daemons' lists them; nobody was asked to end",
        65
      ),
      (
        ["drain", "--host", "db9"],
        "no daemon is alive on a host 'db9', nor on any other; nobody was asked to end", 65
      ),
      (
        ["drain", "--all", "--wait", "long"],
        "'--wait long': write a duration such as 5m; 'worker drain --help' shows what can"
          + " be written", 64
      ),
    ] as [([String], String, Int32)])
  func `what is not clear is refused`(words: [String], sentence: String, code: Int32) throws {
    let database = try TestDatabase()
    let variables = [
      "WORKER_DATABASE_URL": database.url, "WORKER_CONFIG": "/dev/null",
      "TZDIR": try TestEnvironment.zoneinfo,
    ]
    _ = try Program("migrate", "up", variables: variables)

    let program = try Program(words: words, variables: variables)

    #expect(program.errors == "worker: \(sentence)\n")
    #expect(program.exitCode == code)
  }

  @Test func `who mistakes a host is told where daemons are`() throws {
    let database = try TestDatabase()
    let variables = [
      "WORKER_DATABASE_URL": database.url, "WORKER_CONFIG": "/dev/null",
      "TZDIR": try TestEnvironment.zoneinfo,
    ]
    _ = try Program("migrate", "up", variables: variables)
    try database.connect().run(
      """
      INSERT INTO jobkit.daemon
        (name, host, process, version, settings_hash, jobs, started_at, seen_at)
      SELECT host || ':17:x', host, 17, '1', '1', '{}'::text[], clock_timestamp(), clock_timestamp()
      FROM unnest(ARRAY['db2', 'db1']) AS host
      """)

    let refused = try Program("drain", "--host", "db", variables: variables)
    let asked = try Program("drain", "--host", "db1", variables: variables)

    #expect(
      refused.errors
        == "worker: no daemon is alive on a host 'db', only on db1, db2; nobody was asked to end\n")
    #expect(refused.exitCode == 65)
    #expect(asked.output == "asked to end: db1:17:x\n" && asked.exitCode == 0)
  }
}
