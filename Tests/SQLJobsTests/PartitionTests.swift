import JobKit
import Ledger
import Postgres
import Runner
import Settings
import TestKit
import TestSupport
import Testing

@testable import SQLJobs

@Suite("A job of the settings that drops partitions")
struct PartitionTests {
  /// A table with a partition for each of four months, and one for all other rows.
  private func stage(
    _ type: String = "timestamptz", at moment: String = "2026-03-01T03:30:00Z"
  ) throws -> Stage {
    let stage = try Stage(at: moment)
    let months = ["2025-11-01", "2025-12-01", "2026-01-01", "2026-02-01", "2026-03-01"]
    let partitions = zip(months, months.dropFirst()).map { from, to in
      "CREATE TABLE shop.hit_\(from.prefix(7).replacing("-", with: "_")) PARTITION OF shop.hit"
        + " FOR VALUES FROM ('\(from)') TO ('\(to)');"
    }
    try stage.connection.run(
      script: """
        CREATE SCHEMA shop;
        CREATE TABLE shop.hit (at \(type) NOT NULL, n bigint) PARTITION BY RANGE (at);
        \(partitions.joined(separator: "\n"))
        CREATE TABLE shop.hit_ever PARTITION OF shop.hit FOR VALUES FROM (MINVALUE) TO ('2025-11-01');
        CREATE TABLE shop.hit_next PARTITION OF shop.hit FOR VALUES FROM ('2026-03-01') TO (MAXVALUE);
        INSERT INTO shop.hit SELECT '2025-11-01'::timestamp + n * interval '12 hours', n
        FROM generate_series(0, 200) AS n;
        """)
    return stage
  }

  private func job(_ lines: String = "", age: String = "30d", most: Int = 3) throws -> Described {
    try Described(text(lines, age: age, most: most))
  }

  private func text(_ lines: String = "", age: String = "30d", most: Int = 3) -> String {
    """
    [jobs.old_hits]
    kind = "drop_partitions"
    table = "shop.hit"
    older_than = "\(age)"
    every = "1d"
    most = \(most)
    \(lines)
    """
  }

  private func partitions(_ stage: Stage) throws -> [String] {
    try stage.texts(
      "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'shop.hit'::regclass ORDER BY 1"
    )
  }

  private static let young = ["shop.hit_2026_01", "shop.hit_2026_02", "shop.hit_next"]

  @Test(arguments: ["timestamptz", "timestamp", "date"])
  func `drops those that end early enough, and no others`(type: String) throws {
    let stage = try stage(type)

    let run = try stage.run(try job())

    #expect(run.state == .succeeded && run.counters.text == "dropped 3")
    #expect(try partitions(stage) == Self.young)
    #expect(try stage.count("SELECT min(n) FROM shop.hit") == 122)
  }

  @Test(arguments: [("2026-02-28T23:59:59Z", 3), ("2026-03-01T00:00:00Z", 4)])
  func `a partition is old enough from the instant on at which its end is`(
    moment: String, dropped: Int
  ) throws {
    let stage = try stage(at: moment)

    // January ends 28 days before March begins.
    let run = try stage.run(try job(age: "28d", most: 9))

    #expect(run.counters["dropped"] == dropped)
  }

  @Test func `more than 'most' are held, and none of them is dropped`() throws {
    let stage = try stage()

    let run = try stage.run(try job(most: 2))

    #expect(run.state == .held && run.reason == "would touch 3, more than 2")
    #expect(try partitions(stage).count == 6)
  }

  @Test func `a dry run names those that would go, and locks nothing`() throws {
    let stage = try stage()
    try stage.connection.run(outsideTransactions: "VACUUM ANALYZE shop.hit")
    let reader = try stage.database.connect()
    try reader.run("BEGIN")
    try reader.run("SELECT count(*) FROM shop.hit")

    let report = try stage.dryRun(try job())

    #expect(
      report.progress.examples.suffix(2) == [
        "shop.hit_2025_11: dropped; it ends at 2025-12-01T00:00:00Z, with some 60 rows",
        "shop.hit_2025_12: dropped; it ends at 2026-01-01T00:00:00Z, with some 62 rows",
      ])
    #expect(report.planned == 3 && report.progress.counters.text == "dropped 3")
    #expect(try partitions(stage).count == 6)
  }

  @Test func `what cannot be dropped fails the run, and a run goes on behind what has been`() throws
  {
    let stage = try stage()
    let job = try job("tries = 2")
    try stage.connection.run("CREATE VIEW shop.view AS SELECT * FROM shop.hit_2025_12")

    let run = try stage.run(job)
    let before = try partitions(stage)
    try stage.connection.run("DROP VIEW shop.view")
    try stage.pass(.seconds(3600))
    try stage.goOn(with: job)

    #expect(before == ["shop.hit_2025_12"] + Self.young)
    let end = try stage.record(of: run.id)
    #expect(end.state == .succeeded && end.counters.text == "dropped 3")
    #expect(try partitions(stage) == Self.young)
  }

  @Test func `why tells whether a partition would go`() throws {
    let stage = try stage()

    let said = try ["hit_2025_12", "shop.hit_2026_01", "hit_next"].map { key in
      try job().explain(key: key, at: stage.now, in: stage.zones, stage.connection).lines
    }

    #expect(
      said.map { $0[0] } == [
        "a run as of 2026-03-01T03:30:00Z would drop the partition shop.hit_2025_12 of shop.hit",
        "a run as of 2026-03-01T03:30:00Z would leave the partition shop.hit_2026_01 of shop.hit",
        "a run as of 2026-03-01T03:30:00Z would leave the partition shop.hit_next of shop.hit",
      ])
    #expect(
      said[1][1]
        == "it ends at 2026-02-01T00:00:00Z; a run drops what ends at or before 2026-01-30T03:30:00Z"
    )
    #expect(said[2][1].hasPrefix("it has no end; "))
    let error = #expect(throws: NoSuchPartition.self) {
      try job().explain(key: "hit_x", at: stage.now, in: stage.zones, stage.connection)
    }
    #expect(
      error?.description == "'shop.hit' has no partition 'hit_x': write the name of one, with its"
        + " schema or without")
  }

  @Test(arguments: [
    (
      "CREATE TABLE shop.hit (n bigint)",
      "there is no table 'shop.hit' that has partitions: write one that was made with PARTITION BY RANGE"
    ),
    (
      "CREATE TABLE shop.hit (n bigint) PARTITION BY HASH (n)",
      "'shop.hit' is partitioned by HASH (n): only partitions by RANGE of one column of type date,"
        + " timestamp or timestamptz have an age"
    ),
    (
      "CREATE TABLE shop.hit (n bigint) PARTITION BY RANGE (n)",
      "'shop.hit' is partitioned by RANGE (n): only partitions by RANGE of one column of type date,"
        + " timestamp or timestamptz have an age"
    ),
  ])
  func `a table whose partitions have no age is refused`(table: String, said: String) throws {
    let stage = try Stage(at: "2026-03-01T03:30:00Z")
    try stage.connection.run(script: "CREATE SCHEMA shop; \(table)")

    let found = try job().job.findings(
      parts: 1, percent: 100, at: stage.now, in: stage.zones, on: stage.connection)
    let run = try stage.run(try job("tries = 1"))

    #expect(
      found.map { "\($0.problem)" } == [
        "worker.toml:3:9: 'jobs.old_hits.table' will not do: \(said)"
      ])
    #expect(run.error == said)
  }

  @Test
  func `a role that does not own the table is told what to type, and drops by another's rights`()
    throws
  {
    let stage = try stage()
    let names = ["owner", "daemon"].map { "\($0)_\(UInt32.random(in: 0 ... .max))" }
    let (owner, daemon) = (names[0], names[1])
    let owning = try partitions(stage).map { "ALTER TABLE \($0) OWNER TO \(owner);" }
    try stage.connection.run(
      script: """
        CREATE ROLE \(owner); CREATE ROLE \(daemon);
        GRANT USAGE ON SCHEMA shop TO \(owner); ALTER TABLE shop.hit OWNER TO \(owner);
        \(owning.joined())
        """)
    defer {
      try? stage.connection.run(
        script: "RESET ROLE; DROP OWNED BY \(owner), \(daemon); DROP ROLE \(owner), \(daemon)")
    }
    try stage.connection.run("SET ROLE \(identifier: daemon)")
    let found = try job().job.findings(
      parts: 1, percent: 100, at: stage.now, in: stage.zones, on: stage.connection)
    try stage.connection.run("RESET ROLE")

    let run = try stage.run(try job("sql_role = \"\(owner)\""))

    #expect(
      found.map { "\($0.problem)" } == [
        "worker.toml:3:9: 'jobs.old_hits.table' is out of reach: 'shop.hit' or a partition of it"
          + " belongs to '\(owner)', and only a table's owner may drop it: type"
          + " 'GRANT \(owner) TO \(daemon)', and write sql_role = \"\(owner)\" in place of the rights"
          + " of '\(daemon)'"
      ])
    #expect(run.counters.text == "dropped 3")
  }

  @Test(arguments: [
    (
      "parts = 2",
      "1:7: 'jobs.old_hits.parts' divides the work, and partitions are dropped one after the other: leave it out"
    ),
    (
      "where = \"true\"",
      "7:1: 'jobs.old_hits.where' stands in a job of another kind: leave it out, or write kind ="
        + " \"delete\", \"set\" or \"statement\""
    ),
  ])
  func `what makes no sense for partitions is refused`(line: String, said: String) throws {
    #expect(try Described.problems(in: text(line)) == [said])
  }

  @Test func `an age below a day is refused, and none at all`() throws {
    #expect(
      try Described.problems(in: text(age: "90m")) == [
        "4:14: 'jobs.old_hits.older_than' is '90m': write a duration from 1d to 36525d, such as"
          + " \"90d\""
      ])
    #expect(
      try Described.problems(in: text().replacing("older_than = \"30d\"\n", with: "")) == [
        "1:7: 'jobs.old_hits' has no 'older_than': write how old all that a partition may hold has to be,"
          + " such as older_than = \"90d\""
      ])
  }
}
