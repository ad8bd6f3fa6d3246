import JobKit
import Ledger
import LocalTime
import Postgres
import Runner
import Settings
import TestKit
import TestSupport
import Testing

@testable import SQLJobs

@Suite("A job of the settings that counts groups of rows")
struct RollUpTests {
  @Test func `counts each group, and writes nothing where nothing is new`() throws {
    let stage = try Stage.purchases()
    let job = try Described.counting("chunk = 2")

    let first = try stage.run(job)
    let written = try stage.texts("SELECT xmin::text FROM shop.day ORDER BY day")
    let second = try stage.runNextDay(job)

    #expect(first.state == .succeeded && first.counters.text == "inserted 7")
    #expect(second == "")
    #expect(try stage.kept(of: "2026-02-02") == "10 for 325.00")
    #expect(try stage.texts("SELECT xmin::text FROM shop.day ORDER BY day") == written)
  }

  @Test func `a row that commits late has its group counted again, and no other`() throws {
    let stage = try Stage.purchases()
    let job = try Described.counting()
    let other = try stage.database.connect()
    try other.run("BEGIN")
    try other.run(
      "INSERT INTO shop.purchase (purchase_id, bought_at, amount) VALUES (71, '2026-02-03', 5)")

    _ = try stage.run(job)
    let before = try stage.kept(of: "2026-02-03")
    try other.run("COMMIT")
    let next = try stage.runNextDay(job)

    #expect(before == "10 for 335.00")
    #expect(next == "changed 1")
    #expect(try stage.kept(of: "2026-02-03") == "11 for 340.00")
  }

  @Test func `a row that comes to the same as before is not written`() throws {
    let stage = try Stage.purchases()
    let job = try Described.counting()
    _ = try stage.run(job)
    try stage.connection.run(
      """
      UPDATE shop.purchase SET written_in = pg_current_xact_id()::text::bigint
      WHERE purchase_id IN (7, 8)
      """)

    try stage.pass(.seconds(86_400))
    let run = try stage.run(job)

    #expect(run.planned == 2 && run.counters.text == "")
  }

  @Test func `a group that has no rows any more has none that is kept`() throws {
    let stage = try Stage.purchases()
    let job = try Described.counting()
    _ = try stage.run(job)
    try stage.connection.run(
      """
      UPDATE shop.purchase SET bought_at = '2026-02-09',
        written_in = pg_current_xact_id()::text::bigint WHERE bought_at = '2026-02-01'
      """)
    try stage.buy(90, on: "2026-02-01", for: 1)
    _ = try stage.runNextDay(job)
    let one = try stage.kept(of: "2026-02-01")

    try stage.connection.run("UPDATE shop.purchase SET amount = 0 WHERE purchase_id = 90")
    let filtered = try Described(
      Described.countingText().replacing("WHERE", with: "WHERE amount > 0 AND"))
    try stage.connection.run(
      "UPDATE shop.purchase SET written_in = pg_current_xact_id()::text::bigint WHERE amount = 0")
    let next = try stage.runNextDay(filtered)

    #expect(one == "1 for 1.00")
    #expect(next == "deleted 1")
    #expect(try stage.kept(of: "2026-02-01") == nil)
    #expect(try stage.kept(of: "2026-02-09") == "10 for 385.00")
  }

  @Test func `without a transaction the rows of the time before are looked at again`() throws {
    let stage = try Stage.purchases()
    let job = try Described.counting("lookback = \"2d\"", changed: "received_at")
    _ = try stage.run(job)
    try stage.buy(71, on: "2026-02-05", for: 5)
    try stage.connection.run(
      "UPDATE shop.purchase SET received_at = '2026-02-27T04:00:00Z' WHERE purchase_id = 71")
    let late = try stage.runNextDay(job)
    try stage.buy(72, on: "2026-02-06", for: 5)
    try stage.connection.run(
      "UPDATE shop.purchase SET received_at = '2026-02-27T04:00:00Z' WHERE purchase_id = 72")
    let tooLate = try stage.runNextDay(job)

    #expect(late == "changed 1" && tooLate == "")
  }

  @Test func `two parts count what one would`() throws {
    let stage = try Stage.purchases()
    try stage.connection.run(
      script: """
        CREATE TABLE shop.customer (number bigint PRIMARY KEY, purchases bigint);
        INSERT INTO shop.purchase (purchase_id, bought_at, amount)
        SELECT n, '2026-02-01', n FROM generate_series(1001, 9000) AS n;
        """)
    let text = Described.countingText("parts = 2\nchunk = 500")
      .replacing("most = 1000", with: "most = 9000")
      .replacing("\"shop.day\"", with: "\"shop.customer\"").replacing("\"day\"", with: "\"number\"")
      .replacing("\"bought_at::date\"", with: "\"amount / 2\"")
      .replacing(
        #/SELECT bought_at[^;]*GROUP BY 1/#,
        with: "SELECT amount / 2 AS number, count(*) AS purchases FROM shop.purchase"
          + " WHERE amount / 2 IN (:keys) GROUP BY 1")

    let run = try stage.run(try Described(text))

    #expect(run.counters.text == "inserted 4037")
    #expect(try stage.count("SELECT sum(purchases)::bigint FROM shop.customer") == 8070)
  }

  @Test func `more groups than 'most' are held`() throws {
    let stage = try Stage.purchases()
    let text = Described.countingText().replacing("most = 1000", with: "most = 6")

    let run = try stage.run(try Described(text))

    #expect(run.state == .held && run.reason == "would touch 7, more than 6")
    #expect(try stage.count("SELECT count(*) FROM shop.day") == 0)
  }

  @Test func `a dry run shows groups before and after, and keeps none`() throws {
    let stage = try Stage.purchases()
    try stage.connection.run("INSERT INTO shop.day VALUES ('2026-02-01', 9, 1)")

    let report = try stage.dryRun(try Described.counting())

    #expect(
      report.progress.examples.prefix(2) == [
        "day 2026-02-01: purchases '9' -> '10', amount '1.00' -> '385.00'",
        "day 2026-02-02: new: purchases '10', amount '325.00'",
      ])
    #expect(report.progress.counters.text == "inserted 6, changed 1")
    #expect(try stage.count("SELECT count(*) FROM shop.day") == 1)
  }

  @Test func `why tells whether a group has new rows, and what it would come to`() throws {
    let stage = try Stage.purchases()
    let job = try Described.counting()
    _ = try stage.run(job)
    try stage.buy(71, on: "2026-02-05", for: 5)

    let explainer = try #require(job.job as? any RememberingKeyExplainer)
    let said = try ["2026-02-05", "2026-02-06"].map { key in
      try explainer.explain(
        key: key, at: stage.now, in: stage.zones, from: LedgerMemory(of: "days", run: nil),
        stage.connection
      ).lines
    }

    #expect(
      said == [
        [
          "a run as of 2026-03-01T03:30:00Z would count the group day 2026-02-05 of shop.day",
          "1 row of shop.purchase in it is new since the run as of 2026-03-01T03:30:00Z",
          "counted now, its row would be: purchases '10' -> '11', amount '355.00' -> '360.00'",
        ],
        [
          "a run as of 2026-03-01T03:30:00Z would leave the group day 2026-02-06 of shop.day",
          "0 rows of shop.purchase in it are new since the run as of 2026-03-01T03:30:00Z",
          "counted now, its row would be: as it was",
        ],
      ])
  }

  @Test func `a key that none of its columns can hold is refused in words`() throws {
    let stage = try Stage.purchases()

    let error = #expect(throws: UnreadableKey.self) {
      try Described.counting().explain(
        key: "abc", at: stage.now, in: stage.zones, stage.connection)
    }
    #expect(
      error?.description
        == "'abc' cannot be the day of a row of 'shop.day': invalid input syntax for"
        + " type date: \"abc\"")
  }
}
