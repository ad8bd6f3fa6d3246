import Ledger
import Postgres
import Runner
import Settings
import TestKit
import TestSupport
import Testing

@testable import JobKit

/// The jobs of docs/sql-jobs.md that ask what is new, count and drop, as they stand there.
@Suite("Jobs that the page about SQL shows")
struct ShownTests {
  private static func blocks(of language: String) throws -> [String] {
    try TextFile.read("docs/sql-jobs.md").split(separator: "```\(language)\n").dropFirst()
      .compactMap { $0.split(separator: "```").first.map(String.init) }
  }

  private static func job(_ name: String) throws -> Described {
    try Described(
      try #require(try blocks(of: "toml").first { $0.contains("[jobs.\(name)]") }))
  }

  private func findings(_ job: Described, _ stage: Stage) throws -> [String] {
    try job.job.findings(
      parts: 1, percent: 100, at: stage.now, in: stage.zones, on: stage.connection
    ).map { "\($0.problem)" }
  }

  @Test func `the one that asks what is new works with the columns that are shown`() throws {
    let stage = try Stage(at: "2026-03-01T03:30:00Z")
    try stage.connection.run(
      script: """
        CREATE SCHEMA shop;
        CREATE TABLE shop.event (event_id bigint PRIMARY KEY);
        CREATE TABLE shop.counted (event_id bigint PRIMARY KEY, counted_at timestamptz);
        \(try Self.blocks(of: "sql").joined())
        INSERT INTO shop.event VALUES (1, '2026-03-01Z'), (2, '2026-03-02Z');
        """)
    let job = try Self.job("count_events")

    #expect(try findings(job, stage) == [])
    #expect(try stage.run(job).counters.text == "written 1")
    #expect(try stage.runNextDay(job) == "written 1")
  }

  @Test func `the one that counts groups counts the purchases of a day`() throws {
    let stage = try Stage.purchases()
    let job = try Self.job("count_purchases")

    #expect(try findings(job, stage) == [])
    #expect(try stage.run(job).counters.text == "inserted 7")
  }

  @Test func `the one that drops partitions drops by the rights of the owner`() throws {
    let stage = try Stage(at: "2026-03-01T03:30:00Z")
    let role = "shop_owner_\(UInt32.random(in: 0 ... .max))"
    try stage.connection.run(
      script: """
        CREATE ROLE \(role);
        CREATE SCHEMA shop AUTHORIZATION \(role);
        SET ROLE \(role);
        CREATE TABLE shop.hit (at timestamptz) PARTITION BY RANGE (at);
        CREATE TABLE shop.hit_2025 PARTITION OF shop.hit FOR VALUES FROM ('2025-01-01') TO ('2025-12-01');
        CREATE TABLE shop.hit_2026 PARTITION OF shop.hit FOR VALUES FROM ('2025-12-01') TO ('2026-12-01');
        RESET ROLE;
        """)
    defer { try? stage.connection.run(script: "DROP OWNED BY \(role); DROP ROLE \(role)") }
    let shown = try #require(
      try Self.blocks(of: "toml").first { $0.contains("[jobs.drop_old_hits]") })
    let job = try Described(shown.replacing("shop_owner", with: role))

    #expect(try findings(job, stage) == [])
    #expect(try stage.run(job).counters.text == "dropped 1")
  }
}
