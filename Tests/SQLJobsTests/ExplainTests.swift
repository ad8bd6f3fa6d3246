import JobKit
import Ledger
import Postgres
import Runner
import Testing
import TestKit
import TestSupport

@testable import SQLJobs

@Suite("Why a row is touched, or is not")
struct ExplainTests {
  private static let job =
    "where = \"\"\"state = 'open' AND touched_at BETWEEN timestamptz '2026-01-01Z' AND :moment - interval '30 days'"
    + " AND (closed_at > :moment OR closed_at IS NULL) AND CASE WHEN touches > 0 AND true THEN true END\"\"\"\n"

  private func explain(_ key: String, _ stage: Stage, _ lines: String = job) throws -> [String] {
    try Described.carts(lines).explain(
      key: key, at: stage.now, in: stage.zones, stage.connection
    ).lines
  }

  @Test func `is told condition by condition, with the values that decided`() throws {
    let stage = try Stage.shop(carts: 10)

    let lines = try explain("5", stage, Self.job + "explain = \"cart {cart_id} of {zone}\"")

    #expect(
      lines == [
        "a run as of 2026-03-01T03:30:00Z would leave the row cart_id 5 of shop.cart",
        "true: state = 'open' (state is 'open')",
        "false: touched_at BETWEEN timestamptz '2026-01-01Z' AND :moment - interval '30 days'"
          + " (touched_at is '2026-02-20 00:00:00+00')",
        "true: (closed_at > :moment OR closed_at IS NULL) (closed_at is null)",
        "unknown: CASE WHEN touches > 0 AND true THEN true END (touches is '0')", "cart 5 of UTC",
      ])
  }

  @Test func `a row that matches would be deleted`() throws {
    let stage = try Stage.shop(carts: 10)

    let lines = try explain("4", stage, Described.old)

    #expect(
      lines.first == "a run as of 2026-03-01T03:30:00Z would delete the row cart_id 4 of shop.cart")
  }

  @Test func `alternatives of the whole stay together`() throws {
    let stage = try Stage.shop(carts: 10)

    let lines = try explain("4", stage, "where = \"cart_id = 4 AND false OR touches = 0\"")

    #expect(
      lines.dropFirst() == [
        "true: cart_id = 4 AND false OR touches = 0 (cart_id is '4', touches is '0')"
      ])
  }

  @Test func `a key that no row has is said to be none`() throws {
    let stage = try Stage.shop(carts: 10)

    let error = #expect(throws: NoSuchRow.self) { try explain("11", stage) }
    #expect(error?.description == "'shop.cart' has no row whose cart_id is '11'")
  }

  @Test(arguments: [
    ("abc", "invalid input syntax for type bigint: \"abc\""),
    ("99999999999999999999", "value \"99999999999999999999\" is out of range for type bigint"),
  ])
  func `what can be no key is refused before it meets a condition`(key: String, problem: String)
    throws
  {
    let stage = try Stage.shop(carts: 10)

    let error = #expect(throws: UnreadableKey.self) { try explain(key, stage) }
    #expect(
      error?.description == "'\(key)' cannot be the cart_id of a row of 'shop.cart': \(problem)")
  }
}
