internal import Config
internal import JobKit
internal import LocalTime
internal import Migrations
internal import Postgres

extension RowJob {
  func findings(
    parts: Int, percent: Int, at now: Instant, in zones: ZoneDatabase,
    on connection: borrowing Connection
  ) throws -> [JobFinding] {
    let facts: SQLTableFacts
    do {
      facts = try SQLTableFacts.read(of: table) { try connection.run($0) }
      try facts.requireShares(of: table, parts: parts, percent: percent)
    } catch let error as SQLTableFault {
      let place = if case .noTable = error { places.table } else { places.key }
      return [JobFinding(place.problem("will not do: \(error)"))]
    }
    let needs = definition.needs.map { (owner: definition.name.text, need: $0) }
    if let reason = try MissingRight.all(of: needs, on: connection).reason {
      return [JobFinding(places.table.problem("is out of reach: \(reason)"))]
    }
    let walk = RowWalk(
      rows: self, facts: facts, values: try SQLValues(at: now, in: zones, for: self))
    return try refusals(of: walk, on: connection) + columnRefusals(facts)
      + volatileFunctions(on: connection)
  }

  /// What PostgreSQL says of each text, and of the rows that it would have to read.
  private func refusals(
    of walk: RowWalk, on connection: borrowing Connection
  ) throws -> [JobFinding] {
    let question = walk.count(in: "true")
    let plan: String
    do {
      plan = try self.plan(of: question, on: connection)
    } catch let error as PostgresError {
      return [try finding(error, in: condition)]
    }
    var found = readsAll(plan, walk.facts) ? [remarkOnReading(walk.facts)] : []
    var bare = self
    bare.count = nil
    let chunk = RowWalk(rows: bare, facts: walk.facts, values: walk.values)
      .chunk(after: nil, in: "true", upTo: self.chunk)
    var statements: [(SQLText, Statement)] = []
    if let text = change.text { statements.append((text, chunk)) }
    if let count {
      statements.append((count, walk.chunk(after: nil, in: "true", upTo: self.chunk)))
    }
    if let check, let question = walk.check(in: "true") { statements.append((check, question)) }
    for (text, statement) in statements {
      do {
        _ = try self.plan(of: statement, on: connection)
      } catch let error as PostgresError {
        found.append(try finding(error, in: text))
      }
    }
    return found
  }

  /// Has a statement planned, and nothing else: its transaction can only read.
  private func plan(
    of statement: Statement, on connection: borrowing Connection
  ) throws -> String {
    let readOnly: Statement = "SELECT set_config('transaction_read_only', 'on', true)"
    let taking = role.map { [Statement.taking(role: $0)] } ?? []
    let results = try connection.pipeline([readOnly] + taking + ["EXPLAIN \(statement)"])
    let rows = results[results.count - 1]
    return try rows.map { try $0[0, as: String.self] }.joined(separator: "\n")
  }

  /// What the server refuses of a text; what is no refusal goes on to the caller.
  private func finding(_ error: PostgresError, in text: SQLText) throws -> JobFinding {
    guard let report = error.report else { throw error }
    if error.isForbidden, let role {
      return JobFinding(
        places.table.problem(
          "is out of reach: \(report.message): 'sql_role' is '\(role)', which needs"
            + " \(change.rights.joined(separator: " and ")) there, USAGE of the schema, and the daemon's"
            + " role as a member"))
    }
    return JobFinding(
      text.problem("is refused by PostgreSQL: \(report.message) (SQLSTATE \(report.sqlState))"))
  }

  /// Above so many rows it matters that a plan reads all of them.
  private static let manyRows = 100_000.0

  private func readsAll(_ plan: String, _ facts: SQLTableFacts) -> Bool {
    facts.rows >= Self.manyRows && plan.contains("Seq Scan on \(table.name)")
  }

  private func remarkOnReading(_ facts: SQLTableFacts) -> JobFinding {
    JobFinding(
      condition.problem(
        "reads all of some \(Int(facts.rows)) rows of \(table.words) in each run:"
          + " an index on what it compares with :moment lets it read those that match"),
      isRemark: true)
  }

  /// The columns that the job's sentence names and the table does not have.
  private func columnRefusals(_ facts: SQLTableFacts) -> [JobFinding] {
    let known = facts.columns
    return (explanation?.columns ?? []).filter { !known.contains($0) }.map { column in
      let fault = SQLTableFault.noColumn(column, table: table.words, known: known)
      return JobFinding(
        places.key.problem("stands beside an 'explain' that will not do: \(fault)"))
    }
  }

  /// Functions that may give something else at each call, for whatever reason: a clock hides in some.
  private func volatileFunctions(
    on connection: borrowing Connection
  ) throws(PostgresError) -> [JobFinding] {
    let calls = texts.flatMap { text in text.calls.map { (text: text, call: $0) } }
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
