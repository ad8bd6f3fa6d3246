internal import Config
internal import JobKit
internal import Postgres

extension RowJob {
  func refusals(
    of walk: RowWalk, on connection: borrowing Connection
  ) throws -> [JobFinding] {
    let question = walk.count(in: "true")
    let judge = PlanJudge(
      role: role, needs: change.rights.joined(separator: " and "), on: places.table)
    let plan: String
    do {
      plan = try judge.plan(of: question, on: connection)
    } catch let error as PostgresError {
      return [try judge.finding(error, in: condition.setting)]
    }
    let found = readsAll(plan, walk.facts) ? [remarkOnReading(walk.facts)] : []
    var bare = self
    bare.count = nil
    let bareWalk = RowWalk(job: bare, facts: walk.facts, values: walk.values)
    var statements: [(SQLText, Statement)] = []
    if let text = change.text { statements.append((text, bareWalk.planned)) }
    if let count { statements.append((count, walk.planned)) }
    if let check, let question = walk.check(in: "true") { statements.append((check, question)) }
    return try found
      + judge.findings(of: statements.map { ($0.0.setting, $0.1) }, on: connection)
      + columnRefusals(walk.facts)
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
}

extension RowWalk {
  /// What changes the rows of some chunk.
  fileprivate var planned: Statement {
    if case .statement(let text) = job.change {
      return chunk(by: text, after: nil, in: "true", upTo: job.chunk)
    }
    return change(after: nil, through: "{}", alike: 0, in: "true") ?? ""
  }
}
