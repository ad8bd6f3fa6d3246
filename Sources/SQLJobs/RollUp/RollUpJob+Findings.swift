internal import Config
internal import JobKit
internal import LocalTime
internal import Migrations
internal import Postgres

extension RollUpJob {
  func findings(
    parts: Int, percent: Int, at now: Instant, in zones: ZoneDatabase,
    on connection: borrowing Connection
  ) throws -> [JobFinding] {
    let facts: SQLTableFacts
    do {
      facts = try SQLTableFacts.read(of: into) { try connection.run($0) }
      try facts.requireShares(of: into, parts: parts, percent: percent)
    } catch let error as SQLTableFault {
      let place = if case .noTable = error { places.into } else { places.key }
      return [JobFinding(place.problem("will not do: \(error)"))]
    }
    guard try connection.run(sourceCount).only[0, as: Int.self] > 0 else {
      return [
        JobFinding(
          places.source.problem("will not do: \(SQLTableFault.noTable(source.words))"))
      ]
    }
    let needs = definition.needs.map { (owner: definition.name.text, need: $0) }
    if let reason = try MissingRight.all(of: needs, on: connection).reason {
      return [JobFinding(places.into.problem("is out of reach: \(reason)"))]
    }
    let walk = try walk(facts, at: now, in: zones, new: .planned(at: now))
    let judge = PlanJudge(role: role, needs: "SELECT", on: places.source)
    return try judge.findings(
      of: [(places.source, walk.count(in: "true"))], on: connection)
      + selectFindings(walk, judge, on: connection) + texts.volatileFunctions(on: connection)
  }

  /// Any table will do, or a view.
  private var sourceCount: Statement {
    """
    SELECT count(*) FROM pg_class JOIN pg_namespace AS space ON space.oid = relnamespace
    WHERE nspname = \(source.schema) AND relname = \(source.name)
      AND relkind IN ('r', 'p', 'v', 'm', 'f')
    """
  }

  /// What is wrong with the query that counts, and with the statement that writes what it gives.
  private func selectFindings(
    _ walk: RollUpWalk, _ judge: PlanJudge, on connection: borrowing Connection
  ) throws -> [JobFinding] {
    let found = try judge.findings(of: [(select.setting, walk.counted)], on: connection)
    guard found.isEmpty else { return found }
    let columns = try judge.rows(of: walk.counted, on: connection).columnNames
    do {
      try walk.facts.requireColumns(columns, of: into)
    } catch {
      return [JobFinding(select.problem("will not do: \(error)"))]
    }
    let checks = walk.check(in: "true").map { [(check?.setting ?? select.setting, $0)] } ?? []
    // What it reads has been judged: a right that is missing now is one to the table of the groups.
    let needs = "SELECT, INSERT, UPDATE and DELETE"
    return try PlanJudge(role: role, needs: needs, on: places.into).findings(
      of: [(select.setting, walk.chunk([], columns: columns))] + checks, on: connection)
  }
}
