import Jobs
import LocalTime
import Postgres
import TestKit
import Testing

@testable import SampleWorld

@Suite("Filling a database with a world")
struct FillingTests {
  private let stage: Stage

  init() throws {
    stage = try Stage(at: "2026-03-01T00:00:00Z", with: .learning)
  }

  private func world(
    _ learners: Int, seed: Int = 7, daysToCome: Int = 0
  ) throws -> World {
    try World(
      learners: learners, days: 30, seed: seed, now: stage.now, daysToCome: daysToCome,
      zones: stage.zones)
  }

  private func fill(_ world: World) throws -> Filling.Report {
    try Filling(with: world) { _, _, _ in }.run(on: stage.connection)
  }

  /// Everything in the app's tables but the transactions that wrote it, as one hash.
  private func rows(in schema: String = "learning") throws -> String {
    try AppTable.allCases.map { table in
      let columns = table.columns.map { "\(identifier: $0)" as Statement }.joined(by: ", ")
      return try stage.text(
        """
        SELECT coalesce(md5(string_agg(row::text, '|' ORDER BY row::text)), 'nothing')
        FROM (SELECT \(columns) FROM \(identifier: schema).\(identifier: table.rawValue)) AS row
        """)
    }.joined(separator: " ")
  }

  /// How the tables are made: columns, constraints, indexes.
  private func schema() throws -> String {
    try stage.text(
      """
      SELECT string_agg(line, E'\\n' ORDER BY line) FROM (
        SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) || convalidated
        FROM pg_constraint WHERE connamespace = 'learning'::regnamespace
        UNION ALL
        SELECT pg_get_indexdef(indexrelid) || indisvalid || indisready || indisunique || indisprimary FROM pg_index
        JOIN pg_class ON pg_class.oid = indrelid WHERE relnamespace = 'learning'::regnamespace
        UNION ALL
        SELECT attrelid::regclass || ' ' || attname || attnum || attnotnull || atthasdef FROM pg_attribute
        JOIN pg_class ON pg_class.oid = attrelid
        WHERE relnamespace = 'learning'::regnamespace AND attnum > 0
        UNION ALL
        SELECT tgrelid::regclass || ' ' || tgenabled::text || pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
      ) AS lines (line)
      """)
  }

  @Test func `the schema is afterwards what it was before`() throws {
    let before = try schema()

    _ = try fill(world(50))

    #expect(before.contains("a_session_arrives_once"))
    #expect(try schema() == before)
  }

  @Test func `the same arguments come to the same rows, and another seed to others`() throws {
    _ = try fill(world(200, daysToCome: 2))
    let other = try FillingTests()
    _ = try other.fill(other.world(200, daysToCome: 2))
    let third = try FillingTests()
    _ = try third.fill(third.world(200, seed: 8, daysToCome: 2))

    #expect(try rows() == other.rows())
    #expect(try rows(in: "demo") == other.rows(in: "demo"))
    #expect(try rows() != third.rows())
  }

  @Test func `where somebody is already, nobody is added`() throws {
    try stage.connection.run(
      "INSERT INTO learning.patterns (pattern_id, code, name_ko, name_en) VALUES (1, 'a', 'a', 'a')"
    )

    let error = #expect(throws: Filling.Refused.self) { try fill(world(10)) }

    #expect(
      error?.description
        == "there are rows in 'learning.patterns': made-up learners go into a database of their"
        + " own; make an empty one, run 'worker migrate up' there, and try again")
    #expect(try stage.count("SELECT count(*) FROM learning.users") == 0)
  }

  @Test func `what is reported is what is there`() throws {
    let report = try fill(world(300))

    for (table, count) in report.rows {
      #expect(try stage.count("SELECT count(*) FROM learning.\(identifier: table)") == count)
    }
    #expect(report.rows.map(\.table).contains("reward_pending"))
  }

  @Test func `history has reached the server, what is to come has not`() throws {
    _ = try fill(world(300, daysToCome: 3))

    for table in AppTable.allCases where table != .users {
      let (name, arrival) = (table.rawValue, table.arrival)
      let early = try stage.count(
        "SELECT count(*) FROM demo.\(identifier: name) WHERE \(identifier: arrival) <= \(stage.now)"
      )
      let late = try stage.count(
        "SELECT count(*) FROM learning.\(identifier: name) WHERE \(identifier: arrival) > \(stage.now)"
      )
      #expect(early == 0 && late == 0, "\(name)")
      #expect(try stage.count("SELECT count(*) FROM demo.\(identifier: name)") > 0, "\(name)")
    }
  }

}
