internal import CPostgres

/// Where names without a schema are looked up.
///
/// Of two functions, or operators, that fit a call, Postgres takes the one whose types fit better, wherever in the
/// `search_path` it stands: whoever may create one in a schema of that path can have it called with the rights of
/// whoever calls. A session may be a pooler's, which lends it to others: so nothing is set for longer than a
/// transaction.
extension Session {
  /// Names without a schema are PostgreSQL's own until the transaction ends; a temporary table hides none of them.
  static let fixingNames = "SET LOCAL search_path = pg_catalog, pg_temp"

  /// The same for a statement by itself, which Postgres takes for no transaction that a SET LOCAL could be in;
  /// it waits for a lock for no longer than `lockLimit`, and is not compiled.
  ///
  /// In a database of which the server has no figures yet it takes the tables for large, and would compile a
  /// statement for seconds that takes a millisecond.
  static func beginningAlone(lockLimit: Duration?) -> Statement {
    let names: Statement = """
      SELECT pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true), \
      pg_catalog.set_config('jit', 'off', true)
      """
    guard let lockLimit else { return names }
    let milliseconds = "\(max(1, lockLimit.milliseconds))"
    return "\(names), pg_catalog.set_config('lock_timeout', \(milliseconds), true)"
  }

  /// Runs one statement outside a transaction, where names are fixed for it in the same round trip.
  func runFixingNames(
    _ statement: Statement, limit: Duration?
  ) throws(PostgresError) -> ResultSet {
    let couldKeepPlan = statement.keepsPlan && keptPlans.isPossible
    let results: [ResultSet]
    do throws(PostgresError) {
      results = try pipeline([statement], limit: limit)
    } catch {
      // Another server of a pooler does not know the plan; nothing has run yet.
      guard couldKeepPlan, !keptPlans.isPossible, isOpen else { throw namingHolder(in: error) }
      results = try pipeline([statement], limit: limit)
    }
    guard let result = results.last else { throw lose("no result came", in: statement) }
    return result
  }

  /// What is sent before statements that no transaction of ours is around.
  var statementsBefore: [Statement] {
    fixesNames && !isInTransaction ? [Self.beginningAlone(lockLimit: lockLimit)] : []
  }
}
