import Postgres
import Testing

@Suite struct StatementTests {
  @Test func `an interpolated value is a parameter, never text`() {
    let statement: Statement = "SELECT * FROM run WHERE job = \("'; DROP TABLE run") AND id = \(7)"

    #expect(statement.text == "SELECT * FROM run WHERE job = $1 AND id = $2")
  }

  @Test func `an identifier is quoted, and a quote in it is doubled`() {
    let statement: Statement = "SELECT \(identifier: "odd\"name") FROM \(identifier: "order")"

    #expect(statement.text == #"SELECT "odd""name" FROM "order""#)
  }

  @Test func `text that is SQL says so`() {
    let statement: Statement = "SELECT 1 \(verbatim: "ORDER BY 1")"

    #expect(statement.text == "SELECT 1 ORDER BY 1")
    #expect(Statement(verbatim: "SELECT 2").text == "SELECT 2")
  }

  @Test func `a statement inside another keeps its parameters, numbered anew`() {
    let part: Statement = "a = \(1) AND b = \(2)"
    let statement: Statement = "SELECT \(0) WHERE \(part) AND c = \(3)"

    #expect(statement.text == "SELECT $1 WHERE a = $2 AND b = $3 AND c = $4")
  }

  @Test func `statements are joined with what stands between them`() {
    let parts: [Statement] = ["a = \(1)", "b = \(2)", "c = \(3)"]

    #expect(parts.joined(by: " OR ").text == "a = $1 OR b = $2 OR c = $3")
    #expect([Statement]().joined(by: ", ").text == "")
  }

  @Test(arguments: [
    ("SELECT 1", "SELECT 1"),
    ("\n\n   SELECT 1  \n  FROM run", "SELECT 1"),
    ("", ""),
    (String(repeating: "x", count: 121), String(repeating: "x", count: 119) + "…"),
    (String(repeating: "x", count: 120), String(repeating: "x", count: 120)),
  ])
  func `a statement is named by its first line that is not empty`(text: String, name: String) {
    #expect(Statement(verbatim: text).firstLine == name)
  }
}
