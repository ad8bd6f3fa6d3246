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
  private static let young = ["shop.hit_2026_01", "shop.hit_2026_02", "shop.hit_next"]

  @Test(arguments: ["timestamptz", "timestamp", "date"])
  func `drops those that end early enough, and no others`(type: String) throws {
    let stage = try Stage.hits(type)

    let run = try stage.run(try Described.dropping())

    #expect(run.state == .succeeded && run.counters.text == "dropped 3")
    #expect(try stage.partitions() == Self.young)
    #expect(try stage.count("SELECT min(n) FROM shop.hit") == 122)
  }

  @Test(arguments: [("2026-02-28T23:59:59Z", 3), ("2026-03-01T00:00:00Z", 4)])
  func `a partition is old enough from the instant on at which its end is`(
    moment: String, dropped: Int
  ) throws {
    let stage = try Stage.hits(at: moment)

    // January ends 28 days before March begins.
    let run = try stage.run(try Described.dropping(age: "28d", most: 9))

    #expect(run.counters["dropped"] == dropped)
  }

  @Test func `more than 'most' are held, and none of them is dropped`() throws {
    let stage = try Stage.hits()

    let run = try stage.run(try Described.dropping(most: 2))

    #expect(run.state == .held && run.reason == "would touch 3, more than 2")
    #expect(try stage.partitions().count == 6)
  }

  @Test func `a dry run names those that would go, and locks nothing`() throws {
    let stage = try Stage.hits()
    try stage.connection.run(outsideTransactions: "VACUUM ANALYZE shop.hit")
    let reader = try stage.database.connect()
    try reader.run("BEGIN")
    try reader.run("SELECT count(*) FROM shop.hit")

    let report = try stage.dryRun(try Described.dropping())

    #expect(
      report.progress.examples.suffix(2) == [
        "shop.hit_2025_11: dropped; it ends at 2025-12-01T00:00:00Z, with some 60 rows",
        "shop.hit_2025_12: dropped; it ends at 2026-01-01T00:00:00Z, with some 62 rows",
      ])
    #expect(report.planned == 3 && report.progress.counters.text == "dropped 3")
    #expect(try stage.partitions().count == 6)
  }

  @Test func `what cannot be dropped fails the run, and a run goes on behind what has been`() throws
  {
    let stage = try Stage.hits()
    let job = try Described.dropping("tries = 2")
    try stage.connection.run("CREATE VIEW shop.view AS SELECT * FROM shop.hit_2025_12")

    let run = try stage.run(job)
    let before = try stage.partitions()
    try stage.connection.run("DROP VIEW shop.view")
    try stage.pass(.seconds(3600))
    try stage.goOn(with: job)

    #expect(before == ["shop.hit_2025_12"] + Self.young)
    let end = try stage.record(of: run.id)
    #expect(end.state == .succeeded && end.counters.text == "dropped 3")
    #expect(try stage.partitions() == Self.young)
  }

  @Test func `why tells whether a partition would go`() throws {
    let stage = try Stage.hits()

    let said = try ["hit_2025_12", "shop.hit_2026_01", "hit_next"].map { key in
      try Described.dropping().explain(key: key, at: stage.now, in: stage.zones, stage.connection)
        .lines
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
      try Described.dropping().explain(
        key: "hit_x", at: stage.now, in: stage.zones, stage.connection)
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

    let found = try Described.dropping().job.findings(
      parts: 1, percent: 100, at: stage.now, in: stage.zones, on: stage.connection)
    let run = try stage.run(try Described.dropping("tries = 1"))

    #expect(
      found.map { "\($0.problem)" } == [
        "worker.toml:3:9: 'jobs.old_hits.table' will not do: \(said)"
      ])
    #expect(run.error == said)
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
    #expect(try Described.problems(in: Described.droppingText(line)) == [said])
  }

  @Test func `an age below a day is refused, and none at all`() throws {
    #expect(
      try Described.problems(in: Described.droppingText(age: "90m")) == [
        "4:14: 'jobs.old_hits.older_than' is '90m': write a duration from 1d to 36525d, such as"
          + " \"90d\""
      ])
    #expect(
      try Described.problems(
        in: Described.droppingText().replacing("older_than = \"30d\"\n", with: "")) == [
          "1:7: 'jobs.old_hits' has no 'older_than': write how old all that a partition may hold has to be,"
            + " such as older_than = \"90d\""
        ])
  }
}
