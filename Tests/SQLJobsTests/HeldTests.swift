import JobKit
import Ledger
import Postgres
import Runner
import Settings
import Testing
import TestKit
import TestSupport

@Suite("What keeps a job of the settings from its first effect")
struct HeldTests {
  @Test func `a condition that is true of every row is held by most_share`() throws {
    let stage = try Stage.shop(carts: 100)

    let run = try stage.run(try .carts("where = \"true\"\nmost_share = 0.2") as Described)

    #expect(run.state == .held)
    #expect(run.reason == "would touch 100 of 100 rows of shop.cart, more than a share of 0.2")
    #expect(try stage.count("SELECT count(*) FROM shop.cart") == 100)
  }

  @Test(arguments: [(20, RunState.succeeded), (21, .held)])
  func `a share is held when it is above the one that is allowed`(rows: Int, state: RunState) throws
  {
    let stage = try Stage.shop(carts: 100)

    let run = try stage.run(
      try .carts("where = \"cart_id <= \(rows)\"\nmost_share = 0.2") as Described)

    #expect(run.state == state)
  }

  @Test func `more rows than 'most' are held, and a dry run says that they would be`() throws {
    let stage = try Stage.shop(carts: 100)
    let job = try Described(Described.text(Described.old).replacing("1000000", with: "39"))

    let (run, report) = (try stage.run(job), try stage.dryRun(job))

    #expect(run.state == .held && run.reason == "would touch 40, more than 39")
    #expect(report.objection == run.reason)
  }

  @Test func `what an operator has approved of is done, whatever the settings say by then`() throws
  {
    let stage = try Stage.shop(carts: 100)
    func job(where condition: String) throws -> Described {
      try .carts("where = \"\(condition)\"\nmost_share = 0.2")
    }

    let run = try stage.run(try job(where: "cart_id <= 30"))
    let isApproved = try Ledger.approve(run.id, by: "ana", at: stage.now, on: stage.connection)
    try stage.goOn(with: try job(where: "true"))

    #expect(run.state == .held && isApproved)
    #expect(try stage.record(of: run.id).counters["deleted"] == 30)
  }
}
