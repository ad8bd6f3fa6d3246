internal import Config
internal import JobKit
internal import Postgres

/// What PostgreSQL says of statements that it plans and does not carry out.
struct PlanJudge {
  let role: String?

  /// Which rights the role needs, and in the table of which setting.
  let needs: String
  let table: SettingText

  init(role: String?, needs: String, on table: SettingText) {
    (self.role, self.needs, self.table) = (role, needs, table)
  }

  /// What the server refuses, each said of the setting that it stands in.
  func findings(
    of statements: [(SettingText, Statement)], on connection: borrowing Connection
  ) throws -> [JobFinding] {
    var found: [JobFinding] = []
    for (text, statement) in statements {
      do {
        _ = try plan(of: statement, on: connection)
      } catch let error as PostgresError {
        found.append(try finding(error, in: text))
      }
    }
    return found
  }

  /// Has a statement planned, and nothing else.
  func plan(
    of statement: Statement, on connection: borrowing Connection
  ) throws -> String {
    try rows(of: "EXPLAIN \(statement)", on: connection)
      .map { try $0[0, as: String.self] }.joined(separator: "\n")
  }

  /// The rows of a query in a transaction that can only read.
  func rows(of query: Statement, on connection: borrowing Connection) throws -> Rows {
    let readOnly: Statement = "SELECT set_config('transaction_read_only', 'on', true)"
    let taking = role.map { [Statement.taking(role: $0)] } ?? []
    let results = try connection.pipeline([readOnly] + taking + [query])
    return results[results.count - 1]
  }

  /// What the server refuses of a text; what is no refusal goes on to the caller.
  func finding(_ error: PostgresError, in text: SettingText) throws -> JobFinding {
    guard let report = error.report else { throw error }
    if error.isForbidden, let role {
      return JobFinding(
        table.problem(
          "is out of reach: \(report.message): 'sql_role' is '\(role)', which needs \(needs) there,"
            + " USAGE of the schema, and the daemon's role as a member"))
    }
    return JobFinding(
      text.problem(
        at: 0, "is refused by PostgreSQL: \(report.message) (SQLSTATE \(report.sqlState))"))
  }
}

extension [SQLText] {
  /// Functions that may give something else at each call, for whatever reason: a clock hides in some.
  func volatileFunctions(
    on connection: borrowing Connection
  ) throws(PostgresError) -> [JobFinding] {
    let calls = flatMap { text in text.calls.map { (text: text, call: $0) } }
    guard !calls.isEmpty else { return [] }
    let rows = try connection.run(
      """
      SELECT DISTINCT call.number FROM unnest(\(calls.indices.map { $0 }),
        \(calls.map(\.call.schema)), \(calls.map(\.call.name))) AS call (number, schema, name)
      JOIN pg_namespace ON nspname = call.schema
      JOIN pg_proc ON pronamespace = pg_namespace.oid AND proname = call.name
      WHERE provolatile = 'v' ORDER BY call.number
      """)
    var found: [JobFinding] = []
    for row in rows {
      let (text, call) = calls[try row[0]]
      found.append(
        JobFinding(
          text.problem(
            at: call.token,
            "calls \(call.schema).\(call.name)(), which is VOLATILE and may read a clock or roll dice:"
              + " a late run may then do other work than one in time"), isRemark: true))
    }
    return found
  }
}

/// A call of a function in a text.
private struct SQLCall {
  let schema: String
  let name: String
  let token: SQLToken
}

extension SQLText {
  fileprivate var calls: [SQLCall] {
    tokens.indices.dropLast().compactMap { index in
      guard tokens[index + 1].isSign("("), let name = tokens[index].name else { return nil }
      let isQualified = index > 1 && tokens[index - 1].isSign(".")
      let schema = isQualified ? tokens[index - 2].name : nil
      return SQLCall(schema: schema ?? "pg_catalog", name: name, token: tokens[index])
    }
  }
}
