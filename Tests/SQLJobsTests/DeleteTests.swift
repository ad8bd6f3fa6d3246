import JobKit
import Ledger
import LocalTime
import Postgres
import Runner
import Settings
import Testing
import TestKit
import TestSupport

@Suite("A job of the settings that deletes rows")
struct DeleteTests {
  @Test func `deletes the rows that match, chunk by chunk, and no others`() throws {
    let stage = try Stage.shop(carts: 1000)

    let run = try stage.run(try .carts(Described.old + "chunk = 30") as Described)

    #expect(run.state == .succeeded && run.counters["deleted"] == 400)
    #expect(
      try stage.texts("SELECT state || count(*) FROM shop.cart GROUP BY state ORDER BY 1")
        == ["closed100", "open500"])
  }

  @Test func `counts by a column of the rows`() throws {
    let stage = try Stage.shop(carts: 100)
    let job = try Described.carts("where = \"cart_id <= 20\"\ncount = \"state\"")

    let run = try stage.run(job)

    #expect(run.counters.text == "deleted 20 (closed 2, open 18)")
  }

  @Test func `finds nothing to do in an empty table`() throws {
    let run = try Stage.shop(carts: 0).run(try .carts(Described.old) as Described)

    #expect(run.state == .succeeded && run.counters["deleted"] == 0)
  }

  @Test func `goes through keys of a uuid and a text, in the order of their index`() throws {
    let stage = try Stage(at: "2026-03-01T03:30:00Z")
    try stage.connection.run(
      script: """
        CREATE TABLE note (book uuid, title text, PRIMARY KEY (book, title));
        INSERT INTO note SELECT md5((n % 7)::text)::uuid, 'it''s "' || n || '", {a,b}'
        FROM generate_series(1, 100) AS n;
        """)
    let job = try Described(
      """
      [jobs.notes]
      kind = "delete"
      table = "public.note"
      key = "book, title"
      where = "title NOT LIKE '%7%'"
      every = "1d"
      most = 1000
      chunk = 3
      """)

    let run = try stage.run(job)

    #expect(run.counters["deleted"] == 81)
    #expect(try stage.count("SELECT count(*) FROM note") == 19)
  }

  @Test func `a late run deletes what it would have deleted in time`() throws {
    let stage = try Stage.shop(carts: 10)
    try stage.connection.run(
      "UPDATE shop.cart SET touched_at = '2026-01-30T03:30:01Z' WHERE cart_id = 2")
    let job = try Described.carts(Described.old)
    var scheduler = try stage.scheduler(ScheduledJob(of: job.definition, in: stage.zones))
    try stage.pass(.seconds(73_800))
    _ = try scheduler.pass(at: stage.now, on: stage.connection)

    try stage.pass(.seconds(1800))
    try stage.goOn(with: job)

    // A day has passed, by which the cart is old; at midnight it was not yet.
    #expect(try stage.runs(of: "old_carts") == ["2026-03-02T00:00:00Z succeeded"])
    #expect(
      try stage.text("SELECT string_agg(cart_id::text, ' ' ORDER BY cart_id) FROM shop.cart")
        == "1 3 5 7 9 10")
  }

  @Test func `a row that somebody changes meanwhile is judged as it is then`() throws {
    let stage = try Stage.shop(carts: 10)
    let other = try stage.database.connect()
    try other.run("BEGIN")
    try other.run("UPDATE shop.cart SET touched_at = '2026-03-01Z' WHERE cart_id = 4")

    let job = try Described.carts(Described.old)
    let number = try stage.enter(job)
    let (url, clock) = (stage.database.url, stage.clock)
    let run = TestThread { try Described.work(at: number, with: job, of: url, clock) }
    try stage.awaitLock()
    try other.run("COMMIT")

    #expect(try run.value() == "succeeded: deleted 3 rows of shop.cart")
    #expect(
      try stage.text("SELECT touched_at::date::text FROM shop.cart WHERE cart_id = 4")
        == "2026-03-01")
  }

  @Test func `what a day of a zone decides follows the clocks there`() throws {
    // In Zurich the clocks have gone forward: there it is past midnight at 22:30 in UTC, in New York it is not.
    let stage = try Stage.shop(carts: 2, at: "2026-03-29T22:30:00Z")
    try stage.connection.run(
      "UPDATE shop.cart SET zone = CASE cart_id WHEN 1 THEN 'Europe/Zurich' ELSE 'America/New_York' END"
    )
    let job = try Described.carts(
      """
      where = '''EXISTS (SELECT FROM :local_days AS local
        WHERE local.zone = cart.zone AND local.day = '2026-03-30' AND local.utc_offset = 7200
          AND local.starts_at = timestamptz '2026-03-29 22:00Z')'''
      """)

    let run = try stage.run(job)

    #expect(run.counters["deleted"] == 1)
    #expect(try stage.text("SELECT zone FROM shop.cart") == "America/New_York")
  }
}
