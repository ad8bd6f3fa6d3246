import Ledger
import LocalTime
import Postgres
import Settings
import TestKit
import TestSupport
import Testing

@testable import JobKit
@testable import SQLJobs

/// How PostgreSQL reads a table of which a chunk is a small share.
@Suite("A chunk of a big table")
struct BigTableTests {
  private static let jobs = [
    ("delete", "where = \"state = 'open'\""),
    ("set", "where = \"state = 'open'\"\nset = \"state = 'closed'\""),
    (
      "statement",
      "where = \"true\"\nstatement = \"UPDATE shop.cart SET touches = 1 WHERE cart_id IN (:keys)\""
    ),
  ]

  @Test(arguments: jobs)
  func `in its middle is read by indexes alone, and sorted by none but them`(
    kind: String, lines: String
  ) throws {
    let stage = try Stage.shop(carts: 400_000)
    try stage.connection.run(outsideTransactions: "VACUUM ANALYZE shop.cart")
    let job = try #require(try Described.carts(lines, kind: kind).job as? RowJob)
    let facts = try SQLTableFacts.read(of: job.table) { try stage.connection.run($0) }
    let walk = try job.walk(facts, at: stage.now, in: stage.zones, new: nil)

    let chunk: [Statement?]
    if case .statement(let text) = job.change {
      chunk = [walk.chunk(by: text, after: "{200000}", in: "true", upTo: 1000)]
    } else {
      chunk = [
        walk.reach(after: "{200000}", in: "true", upTo: 1000),
        walk.change(after: "{200000}", through: "{201000}", alike: 0, in: "true"),
      ]
    }
    for statement in chunk {
      let plan = try stage.texts("EXPLAIN \(try #require(statement))")

      #expect(plan.contains { $0.contains("Index Scan using cart_pkey on cart") })
      #expect(!plan.contains { $0.contains("Seq Scan on cart") }, "\(plan)")
    }
  }

  @Test(arguments: [(100_000, 1), (199_500, 0)])
  func `is changed by its index alone where many rows begin their keys alike`(
    place: Int, alike: Int
  ) throws {
    let stage = try Stage.shop(carts: 400_000)
    try stage.connection.run(
      script: """
        CREATE UNIQUE INDEX cart_by_touch ON shop.cart (touched_at, cart_id);
        CREATE INDEX ON shop.cart (touched_at);
        """)
    try stage.connection.run(outsideTransactions: "VACUUM ANALYZE shop.cart")
    let text = Described.text("where = \"true\"")
      .replacing("key = \"cart_id\"", with: "key = \"touched_at, cart_id\"")
    let job = try #require(try Described(text).job as? RowJob)
    let facts = try SQLTableFacts.read(of: job.table) { try stage.connection.run($0) }
    let walk = try job.walk(facts, at: stage.now, in: stage.zones, new: nil)
    let cursor = try stage.text(
      """
      SELECT \(job.table.keyText) FROM shop.cart ORDER BY touched_at, cart_id OFFSET \(place - 1) LIMIT 1
      """)

    let reach = try stage.connection.run(walk.reach(after: cursor, in: "true", upTo: 1000)).only
    let last: String = try reach["last"]
    let change = try #require(
      walk.change(after: cursor, through: last, alike: try reach["alike"], in: "true"))
    let plan = try stage.texts("EXPLAIN \(change)")
    let rows = try stage.connection.run(change)

    #expect(try reach["alike"] == alike)
    #expect(rows.affected == 1000)
    #expect(!plan.contains { $0.contains("Seq Scan on cart") } || alike == 0, "\(plan)")
    #expect(plan.contains { $0.contains("Index Scan using cart_") } || alike == 0, "\(plan)")
  }

  @Test func `that are new are found by the indexes of the two columns`() throws {
    let stage = try Stage.events(200_000)
    try stage.connection.run(
      script: """
        CREATE INDEX ON shop.event (received_at);
        CREATE INDEX ON shop.event (written_in);
        """)
    try stage.connection.run(outsideTransactions: "VACUUM ANALYZE shop.event")
    let job = try #require(try Described.seeing().job as? RowJob)
    _ = try stage.run(try Described.seeing())
    // A transaction of another test that was open meanwhile would make all rows ones that may be new.
    try stage.connection.run(
      """
      UPDATE jobkit.watermark
      SET seen_in = concat_ws(':', pg_snapshot_xmax(seen_in), pg_snapshot_xmax(seen_in), '')::pg_snapshot
      """)
    let facts = try SQLTableFacts.read(of: job.table) { try stage.connection.run($0) }
    let memory = LedgerMemory(of: "seeing", run: nil)
    let new = try NewRows(at: stage.now, from: memory, on: stage.connection)
    let walk = try job.walk(facts, at: stage.now, in: stage.zones, new: new)

    let plan = try stage.texts("EXPLAIN \(walk.count(in: "true"))")

    #expect(plan.contains { $0.contains("event_received_at_idx") }, "\(plan)")
    #expect(plan.contains { $0.contains("event_written_in_idx") }, "\(plan)")
  }
}
