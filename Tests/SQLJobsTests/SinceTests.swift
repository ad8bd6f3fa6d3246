import JobKit
import Ledger
import LocalTime
import Postgres
import Runner
import Settings
import TestKit
import TestSupport
import Testing

@Suite("A job of the settings that asks what is new")
struct SinceTests {
  @Test func `a row is new to one run, and to no other`() throws {
    let stage = try Stage.events(3)
    let job = try Described.seeing()

    _ = try stage.run(job)
    let nothing = try stage.runNextDay(job)
    try stage.receive(4...5, at: "2026-03-02T04:00:00Z")
    let two = try stage.runNextDay(job)

    #expect(nothing == "" && two == "written 2")
    #expect(try stage.seen() == ["03-01: 1 2 3", "03-03: 4 5"])
  }

  @Test func `a row that commits when its instant has been passed is new to the next run`() throws {
    let stage = try Stage.events(3)
    let job = try Described.seeing()
    let other = try stage.database.connect()
    try other.run("BEGIN")
    try Stage.receive(9...9, at: "2026-02-21T00:00:00Z", on: other)

    _ = try stage.run(job)
    try other.run("COMMIT")
    _ = try stage.runNextDay(job)
    _ = try stage.runNextDay(job)

    #expect(try stage.seen() == ["03-01: 1 2 3", "03-02: 9"])
  }

  @Test func `a row that was received after the run's moment waits for a later run`() throws {
    let stage = try Stage.events(1)
    let job = try Described.seeing()
    try stage.receive(2...2, at: "2026-03-01T03:30:01Z")

    _ = try stage.run(job)
    _ = try stage.runNextDay(job)

    #expect(try stage.seen() == ["03-01: 1", "03-02: 2"])
  }

  @Test func `a row that is written while a run waits for its next try is new to the next run`()
    throws
  {
    let stage = try Stage.events(20)
    let job = try Described.seeing("tries = 2")
    try stage.connection.run("UPDATE shop.divisor SET n = 0")

    let run = try stage.run(job)
    try stage.receive(21...22, at: "2026-02-20T00:00:00Z")
    try stage.connection.run("UPDATE shop.divisor SET n = 1")
    try stage.pass(.seconds(3600))
    try stage.goOn(with: job)
    let next = try stage.runNextDay(job)

    #expect(run.counters["written"] == 10)
    #expect(try stage.record(of: run.id).counters["written"] == 20)
    #expect(next == "written 2")
    #expect(try stage.count("SELECT count(DISTINCT event_id) FROM shop.seen") == 22)
    #expect(try stage.count("SELECT count(*) FROM shop.seen") == 22)
  }

  @Test func `a run that is brought back after a later one lets no row be new again`() throws {
    let stage = try Stage.events(20)
    let job = try Described.seeing("tries = 1")
    try stage.connection.run("UPDATE shop.divisor SET n = 0")
    let failed = try stage.run(job)
    try stage.connection.run("UPDATE shop.divisor SET n = 1")
    try stage.receive(21...22, at: "2026-02-20T00:00:00Z")
    _ = try stage.runNextDay(job)
    let seen = try stage.count("SELECT count(*) FROM shop.seen")

    _ = try Ledger.retry(failed.id, at: stage.now, on: stage.connection)
    try stage.goOn(with: job)
    let next = try stage.runNextDay(job)

    #expect(try stage.record(of: failed.id).state == .succeeded)
    #expect(next == "")
    #expect(try stage.count("SELECT count(*) FROM shop.seen") == seen)
  }

  @Test func `a row without a transaction is new when it was received after the run before`() throws
  {
    let stage = try Stage.events(1)
    let job = try Described.seeing()
    try stage.connection.run("UPDATE shop.event SET written_in = NULL")

    _ = try stage.run(job)
    try stage.receive(2...2, at: "2026-03-01T12:00:00Z")
    try stage.connection.run("UPDATE shop.event SET written_in = NULL")
    _ = try stage.runNextDay(job)

    #expect(try stage.seen() == ["03-01: 1", "03-02: 2"])
  }

  @Test func `a row with a transaction that this server has not come to is new once`() throws {
    let stage = try Stage.events(1)
    let job = try Described.seeing()
    try stage.connection.run("UPDATE shop.event SET written_in = 1000000000000")

    _ = try stage.run(job)
    _ = try stage.runNextDay(job)

    #expect(try stage.seen() == ["03-01: 1"])
  }

  @Test func `the transaction may be an xid8`() throws {
    let stage = try Stage.events(1)
    try stage.connection.run(
      script: """
        ALTER TABLE shop.event DROP written_in,
          ADD written_in xid8 NOT NULL DEFAULT pg_current_xact_id();
        """)
    let job = try Described.seeing()

    _ = try stage.run(job)
    try stage.receive(2...2, at: "2026-02-20T00:00:00Z")
    _ = try stage.runNextDay(job)

    #expect(try stage.seen() == ["03-01: 1", "03-02: 2"])
  }

  @Test func `neither a canary nor a dry run takes anything from the next run`() throws {
    let stage = try Stage.events(5)
    let job = try Described.seeing()

    let report = try stage.dryRun(job)
    _ = try stage.run(job, percent: 50)
    try stage.connection.run("DELETE FROM shop.seen")
    _ = try stage.runNextDay(job)

    #expect(report.progress.counters["written"] == 5)
    #expect(try stage.seen() == ["03-02: 1 2 3 4 5"])
  }

  @Test func `a run that is asked to looks at every row`() throws {
    let stage = try Stage.events(2)
    let job = try Described.seeing()

    _ = try stage.run(job)
    try stage.pass(.seconds(86_400))
    _ = try stage.run(job, arguments: ["full": "true"])

    #expect(job.job.definition.arguments.map(\.name) == ["full"])
    #expect(try stage.seen() == ["03-01: 1 2", "03-02: 1 2"])
  }

  @Test func `another number of parts goes on where the parts before stood`() throws {
    let stage = try Stage.events(3000)

    _ = try stage.run(try Described.seeing("parts = 2"))
    try stage.receive(4001...6000, at: "2026-03-01T12:00:00Z")
    let three = try stage.runNextDay(try Described.seeing("parts = 3"))
    let one = try stage.runNextDay(try Described.seeing())

    #expect(three == "written 2000" && one == "")
    #expect(try stage.count("SELECT count(*) FROM shop.seen") == 5000)
  }

  @Test func `a row that was seen is explained as not new, since which instant`() throws {
    let stage = try Stage.events(1)
    let job = try Described.seeing()
    _ = try stage.run(job)
    try stage.receive(2...2, at: "2026-03-01T03:00:00Z")

    let memory = LedgerMemory(of: "seeing", run: nil)
    let explainer = try #require(job.job as? any RememberingKeyExplainer)
    let lines = try ["1", "2"].map { key in
      try explainer.explain(
        key: key, at: stage.now, in: stage.zones, from: memory, stage.connection
      ).lines
    }

    #expect(
      lines.map(\.first) == [
        "a run as of 2026-03-01T03:30:00Z would leave the row event_id 1 of shop.event",
        "a run as of 2026-03-01T03:30:00Z would choose the row event_id 2 of shop.event",
      ])
    #expect(lines[0][1].hasPrefix("false: :since(received_at, written_in) (received_at is '2026-"))
  }

  @Test(arguments: [
    (
      "where = \"touched_at > :since\"",
      "7:23: 'jobs.old_carts.where' names ':since' without two columns: write :since(received_at,"
        + " written_in), with the columns that say when a row was received and in which transaction"
        + " it was written"
    ),
    (
      "where = \"true\"\ncheck = \":since(touched_at, touches)\"",
      "8:10: 'jobs.old_carts.check' names ':since', which is no parameter: write :moment or"
        + " :local_days"
    ),
    (
      "where = \":since(touched_at, touches)\"\nbackfill = true",
      "8:12: 'jobs.old_carts.backfill' is true beside ':since', and a run of the past finds nothing"
        + " that is new: leave one of them out"
    ),
  ])
  func `what asks in another way is refused`(lines: String, said: String) throws {
    #expect(try Described.problems(in: Described.text(lines)) == [said])
  }
}
