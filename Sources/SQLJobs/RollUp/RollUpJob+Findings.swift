internal import Config
internal import JobKit
internal import Postgres

extension RollUpJob {
  func sourceFindings(on connection: borrowing Connection) throws -> [JobFinding] {
    guard try connection.run(sourceCount).only[0, as: Int.self] == 0 else { return [] }
    let fault = SQLTableFault.noTable(source.words)
    return [JobFinding(sourcePlace.problem("will not do: \(fault)"))]
  }

  /// Any table will do, or a view.
  private var sourceCount: Statement {
    """
    SELECT count(*) FROM pg_class JOIN pg_namespace AS space ON space.oid = relnamespace
    WHERE nspname = \(source.schema) AND relname = \(source.name)
      AND relkind IN ('r', 'p', 'v', 'm', 'f')
    """
  }

  /// The query that counts is judged before the statement that writes what it gives.
  func refusals(
    of walk: RollUpWalk, on connection: borrowing Connection
  ) throws -> [JobFinding] {
    let reading = PlanJudge(role: role, needs: "SELECT", on: sourcePlace)
    let found = try reading.findings(
      of: [(sourcePlace, walk.count(in: "true")), (select.setting, walk.counted)], on: connection)
    guard found.isEmpty else { return found }
    let columns = try reading.rows(of: walk.counted, on: connection).columnNames
    do {
      try walk.facts.requireColumns(columns, of: table)
    } catch {
      return [JobFinding(select.problem("will not do: \(error)"))]
    }
    let needs = "SELECT, INSERT, UPDATE and DELETE"
    let checks = walk.check(in: "true").map { [(check?.setting ?? select.setting, $0)] } ?? []
    return try PlanJudge(role: role, needs: needs, on: places.table).findings(
      of: [(select.setting, walk.chunk([], columns: columns))] + checks, on: connection)
  }
}
