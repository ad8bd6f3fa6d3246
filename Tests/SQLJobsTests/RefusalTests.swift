import JobKit
import Ledger
import Postgres
import Runner
import Settings
import Testing
import TestSupport

@testable import SQLJobs

/// What `worker check` says of a job of the settings, with line and column.
@Suite("Jobs of the settings that are refused")
struct RefusalTests {
  private static let late =
    "a late run would do other work than one in time; write :moment, the moment of the run"

  @Test(arguments: [
    ("touched_at < now()", 23, "calls now(): \(late)"),
    ("touched_at < pg_catalog.now()", 34, "calls now(): \(late)"),
    ("touched_at < clock_timestamp ()", 23, "calls clock_timestamp(): \(late)"),
    ("touched_at < CURRENT_TIMESTAMP", 23, "reads current_timestamp: \(late)"),
    ("touched_at < current_date - 1", 23, "reads current_date: \(late)"),
    ("touched_at < 'today'::timestamptz", 23, "reads a clock by 'today': \(late)"),
    ("touched_at < date 'Now '", 28, "reads a clock by 'Now ': \(late)"),
    (
      "age(touched_at) > interval '1 day'", 10,
      "calls age() of one instant, which reads a clock: write age(:moment, …)"
    ),
    (
      "random() < 0.5", 10,
      "calls random(): a chunk that is repeated would do other work; decide by a column"
    ),
    ("true; DELETE FROM shop.cart", 14, "holds ';': write one expression and no ';'"),
    ("true) OR (true", 14, "closes a parenthesis that it did not open"),
    ("(true", 10, "leaves a parenthesis open"),
    (
      "touched_at < :until", 23,
      "names ':until', which is no parameter: write :moment, :local_days or :since"
    ),
    (
      "touched_at < $1", 23,
      "names a parameter by its number: write :moment, :local_days or :since"
    ),
    (
      "cart_id IN (SELECT id FROM jobkit.run)", 37,
      "names a table of 'jobkit', the ledger of the daemons: write tables of the app alone"
    ),
    ("state = 'open", 18, "has no end for what ''' opens"),
    ("state = $$open", 18, "has no end for what '$$' opens"),
    ("true /* always", 15, "has no end for what '/*' opens"),
    (
      "set_config('a', 'b', true) = 'b'", 10,
      "calls set_config(): a job changes no setting of its session"
    ),
    (" ", 10, "is empty: write SQL"),
  ])
  func `a condition is refused at the very word`(
    condition: String, column: Int, said: String
  ) throws {
    let problems = try Described.problems(in: Described.text("where = \"\(condition)\""))

    #expect(problems == ["7:\(column): 'jobs.old_carts.where' \(said)"])
  }

  @Test(arguments: [
    "now = 'now'", "cart.random > 3", "state = 'calls now(); or random()'", "app.now(touched_at)",
    "touched_at < :moment -- now() would be late", "\\\"now\\\" = 3 AND current = 1",
    "state = $q$;$$now()$q$ /* ; /* now() */ */", "age(:moment, touched_at) > '1 day'",
    "state = E'it\\\\'s; ' AND a::text = 'x'", "items[1 : 2] = '{}'", "jobkit = 3",
  ])
  func `what only looks like it is not refused`(condition: String) throws {
    #expect(try Described.problems(in: Described.text("where = \"\(condition)\"")) == [])
  }

  @Test func `a place in a text of several lines is one of the file`() throws {
    let text = Described.text(
      #"""
      where = """
        state = 'open' \
          AND touched_at \u003c :moment
          AND touched_at < now()
      """
      """#)

    #expect(
      try Described.problems(in: text) == [
        "10:22: 'jobs.old_carts.where' calls now(): \(Self.late)"
      ])
  }

  @Test(arguments: [
    ("state = 'closed' WHERE true", "WHERE"),
    ("state = other.state FROM shop.cart AS other", "FROM"),
    ("state = 'x' RETURNING state", "RETURNING"),
  ])
  func `what is no assignment is refused behind SET`(text: String, word: String) throws {
    let said = try Described.problems(
      in: Described.text("where = \"true\"\nset = \"\(text)\"", kind: "set"))

    #expect(said.count == 1)
    #expect(
      said[0].hasSuffix(
        "'jobs.old_carts.set' holds \(word): write assignments, such as \"state = 'closed'\";"
          + " which rows they are for stands in 'where'"))
  }

  @Test(arguments: [
    (
      "most = 1000000\n",
      "has no 'most': write how many rows a run may touch before somebody approves of it, such as most = 200000"
    ),
    (
      "every = \"1d\"\n", "has no 'schedule': write when it runs, such as schedule = \"30 3 * * *\""
    ),
    (
      "table = \"shop.cart\"\n",
      "has no 'table': write the name of a table with its schema, such as \"shop.cart\""
    ),
    (
      "key = \"cart_id\"\n",
      "has no 'key': write the columns of a unique index in its order, such as \"user_id, cart_id\""
    ),
  ])
  func `what no job may leave out is asked for at its table`(line: String, said: String) throws {
    let text = Described.text("where = \"true\"\n").replacing(line, with: "")

    #expect(try Described.problems(in: text) == ["1:7: 'jobs.old_carts' \(said)"])
  }

  @Test(arguments: [
    ("jobkit.run", "is in 'jobkit', the ledger of the daemons: write a table of the app"),
    (
      "learning.users",
      "is in 'learning', which the jobs of this program write: a job of the settings may only read it"
    ),
    ("cart", "is 'cart': write the name of a table with its schema, such as \"shop.cart\""),
    ("a.b.c", "is 'a.b.c': write the name of a table with its schema, such as \"shop.cart\""),
  ])
  func `a table that no job of the settings may write is refused`(table: String, said: String)
    throws
  {
    let text = Described.text("where = \"true\"").replacing("shop.cart", with: table)

    #expect(try Described.problems(in: text) == ["3:9: 'jobs.old_carts.table' \(said)"])
  }

  @Test(arguments: [
    (
      "kind = \"delete\"", "kind = \"sweep\"",
      "2:8: 'jobs.old_carts.kind' is 'sweep': write \"delete\", \"set\", \"statement\", \"roll_up\" or \"drop_partitions\""
    ),
    (
      "every = \"1d\"", "evry = \"1d\"\nevery = \"1d\"",
      "5:1: unknown setting 'jobs.old_carts.evry': did you mean 'jobs.old_carts.every'?"
    ),
    (
      "every = \"1d\"", "set = \"a = 1\"\nevery = \"1d\"",
      "5:1: 'jobs.old_carts.set' stands in a job of another kind: leave it out, or write kind = \"set\""
    ),
    (
      "most = 1000000", "most = 0",
      "1:7: 'jobs.old_carts' has no 'most': write how many rows a run may touch before somebody approves of it, such as most = 200000"
    ),
    (
      "key = \"cart_id\"", "key = \"cart_id,\"",
      "4:7: 'jobs.old_carts.key' is 'cart_id,': write the columns of a unique index in its order, such as \"user_id, cart_id\""
    ),
    (
      "every = \"1d\"", "every = \"1d\"\nmost_share = 2",
      "6:14: 'jobs.old_carts.most_share' is 2: write a share above 0 and up to 1, such as 0.2"
    ),
    (
      "every = \"1d\"", "every = \"1d\"\nexplain = \"cart {\"",
      "6:11: 'jobs.old_carts.explain' is 'cart {': write a sentence with columns in braces, such as \"cart {cart_id}: untouched since {touched_at}\""
    ),
  ])
  func `a setting of the job that cannot be used is refused like any other`(
    line: String, written: String, said: String
  ) throws {
    let text = Described.text("where = \"true\"").replacing(line, with: written)

    #expect(try Described.problems(in: text) == [said])
  }

  @Test func `the texts of a job are settings, so that a reload tells what is different`() throws {
    let one = try Described.load(Described.text(Described.old)).settings
    let other = try Described.load(Described.text("where = \"false\"")).settings

    #expect(
      other.changes(since: one).map(\.description) == [
        "jobs.old_carts.where: state = 'open' AND touched_at < :moment - interval '30 days' -> false"
      ])
  }
}
