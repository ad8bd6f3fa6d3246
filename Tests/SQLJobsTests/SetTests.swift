import JobKit
import Ledger
import Postgres
import Runner
import Settings
import Testing
import TestKit
import TestSupport

@Suite("A job of the settings that sets columns")
struct SetTests {
  private static let close =
    Described.old + "set = \"state = 'closed', closed_at = :moment -- as of the run\"\n"

  @Test func `gives the rows that match their new values, as of the run's moment`() throws {
    let stage = try Stage.shop(carts: 100)

    let run = try stage.run(try .carts(Self.close + "count = \"state\"", kind: "set") as Described)

    #expect(run.counters.text == "changed 40 (closed 40)")
    #expect(
      try stage.count(
        "SELECT count(*) FROM shop.cart WHERE closed_at = '2026-03-01T03:30:00Z'") == 40)
  }

  @Test func `visits each key once, so that it ends where rows go on matching`() throws {
    let stage = try Stage.shop(carts: 500)
    let job = try Described.carts(
      "where = \"true\"\nset = \"touches = touches + 1\"\nchunk = 7", kind: "set")

    let run = try stage.run(job)

    #expect(run.state == .succeeded && run.counters["changed"] == 500)
    #expect(try stage.count("SELECT count(*) FROM shop.cart WHERE touches <> 1") == 0)
  }

  @Test func `two daemons share its parts, and each row is touched once`() throws {
    let stage = try Stage.shop(carts: 20_000)
    let job = try Described.carts(
      "where = \"true\"\nset = \"touches = touches + 1\"\nparts = 4\nchunk = 2000", kind: "set")
    let run = try stage.enter(job)
    var one = try stage.worker(1, .init(job: job, policies: job.definition.policies))
    var other = try stage.worker(2, .init(job: job, policies: job.definition.policies))

    var parts: [Int] = []
    for _ in 0..<2 {
      parts += try one.work().map(\.part.fence.part)
      parts += try other.work().map(\.part.fence.part)
    }

    #expect(parts.sorted() == [0, 1, 2, 3])
    #expect(try stage.record(of: run).counters["changed"] == 20_000)
    #expect(try stage.count("SELECT count(*) FROM shop.cart WHERE touches <> 1") == 0)
  }

  @Test func `a row that is still as 'check' forbids fails the run, in words`() throws {
    let stage = try Stage.shop(carts: 10)
    let job = try Described.carts(
      Self.close + "check = \"touched_at < :moment\"\ntries = 1", kind: "set")

    let run = try stage.run(job)

    #expect(run.state == .failed)
    #expect(
      run.error == "10 rows of shop.cart match 'check' after the run:"
        + " 'worker why JOB --key KEY' explains one")
  }

  @Test func `a dry run shows some rows before and after, and leaves all as they are`() throws {
    let stage = try Stage.shop(carts: 10)
    let job = try Described.carts(
      Self.close + "explain = \"untouched since {touched_at}\"", kind: "set")

    let report = try stage.dryRun(job)

    #expect(report.planned == 4 && report.progress.counters["changed"] == 4)
    #expect(
      report.progress.examples.first
        == "cart_id 2: state 'open' -> 'closed', closed_at null -> '2026-03-01 03:30:00+00';"
        + " untouched since 2026-01-15 00:00:00+00")
    #expect(report.progress.examples.count == 4)
    #expect(try stage.count("SELECT count(*) FROM shop.cart WHERE closed_at IS NOT NULL") == 0)
  }

  @Test func `a canary's rows are the same in each run, and some of them`() throws {
    let stage = try Stage.shop(carts: 50_000)
    let job = try Described.carts(
      "where = \"true\"\nset = \"touches = touches + 1\"", kind: "set")

    _ = try stage.run(job, percent: 5)
    _ = try stage.run(job, percent: 20)

    #expect(try stage.count("SELECT count(*) FROM shop.cart WHERE touches = 2") > 2000)
    #expect(try stage.count("SELECT count(*) FROM shop.cart WHERE touches = 1") > 6000)
    #expect(try stage.count("SELECT count(*) FROM shop.cart WHERE touches = 0") > 35_000)
  }

  @Test func `rows without a number in their key cannot be divided, and the run says so`() throws {
    let stage = try Stage.shop(carts: 10)
    try stage.connection.run("CREATE UNIQUE INDEX ON shop.cart (zone, cart_id)")
    let text = Described.text(Self.close + "parts = 2\ntries = 1", kind: "set")
      .replacing("\"cart_id\"", with: "\"zone, cart_id\"")

    let run = try stage.run(Described(text))

    #expect(
      run.error == "'zone' is of type text, and only rows with a whole number in the key's first"
        + " column can be divided: set 'parts' to 1 and 'percent' to 100")
  }
}
