import Postgres
import TestSupport
import Testing

/// What is said of an error that arises in a function, such as that of somebody's trigger.
@Suite("Errors of functions")
struct RaisedErrorTests {
  /// The error of an INSERT into a table whose trigger runs these words.
  private func insertionError(ofTriggerThat body: String) throws -> PostgresError? {
    let database = try TestDatabase()
    let connection = try database.connect()
    try connection.run(
      script: """
        CREATE TABLE sale (id bigint);
        CREATE FUNCTION check_it() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \(body); END $$;
        CREATE TRIGGER check_it BEFORE INSERT ON sale FOR EACH ROW EXECUTE FUNCTION check_it();
        """)
    return refusal { try connection.run("INSERT INTO sale VALUES (1)") }
  }

  @Test func `it names the function of a trigger in the place of the statement`() throws {
    let error = try insertionError(ofTriggerThat: "RAISE 'nothing is left' USING HINT = 'h'")

    #expect(
      error?.description
        == "nothing is left (SQLSTATE P0001), raised in the function 'check_it()'; hint: h")
  }

  @Test(arguments: [
    ("", "amount too large (SQLSTATE 23514)"),
    (", COLUMN = 'amount'", "column 'amount' refuses it: amount too large (SQLSTATE 23514)"),
    (", TABLE = 'sale'", "table 'sale' refuses it: amount too large (SQLSTATE 23514)"),
  ])
  func `a violation that a trigger raises by itself begins with what the trigger names, or says`(
    names: String, message: String
  ) throws {
    let error = try insertionError(
      ofTriggerThat: "RAISE 'amount too large' USING errcode = 'check_violation'\(names)")

    #expect(error?.description == "\(message), raised in the function 'check_it()'")
  }

  @Test(arguments: [
    ("PL/pgSQL function shop.check_it() line 3 at RAISE", "shop.check_it()"),
    (
      "SQL statement \"INSERT INTO a\"\nPL/pgSQL function shop.note(integer,text) line 5 at SQL statement",
      "shop.note(integer,text)"
    ),
    ("SQL function \"total\" statement 1\nPL/pgSQL function f() line 1 at RETURN", "total"),
    ("PL/Python function \"score\"", "score"),
    ("PL/pgSQL function inline_code_block line 2 at RAISE", nil),
    ("COPY run, line 1: \"17 ana@example.org\"", nil),
    ("while updating tuple (0,4) in relation \"job\"", nil),
  ])
  func `it is the innermost function, and nothing that quotes a row`(
    context: String, function: String?
  ) {
    var report = ServerReport(sqlState: "P0001", message: "no", statement: "SELECT 1")
    report.context = context

    let place = function.map { ", raised in the function '\($0)'" } ?? ", in 'SELECT 1'"
    #expect("\(report)" == "no (SQLSTATE P0001)\(place)")
  }
}
