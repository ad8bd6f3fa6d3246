internal import CPostgres

/// Where names without a schema are looked up.
///
/// Of two functions, or operators, that fit a call, Postgres takes the one whose types fit better, wherever in the
/// `search_path` it stands: whoever may create one in a schema of that path can have it called with the rights of
/// whoever calls. A session may be a pooler's, which lends it to others: in such a one nothing is set for longer than a
/// transaction.
extension Session {
  /// Names without a schema are PostgreSQL's own until the transaction ends; a temporary table hides none of them.
  static let fixingNames = "SET LOCAL search_path = pg_catalog, pg_temp"

  /// The same for a statement by itself, which Postgres takes for no transaction that a SET LOCAL could be in.
  ///
  /// It waits for a lock for no longer than `lockLimit`, is not compiled, and by a kept plan is not planned anew. In a
  /// database of which the server has no figures yet it takes the tables for large, and would compile a statement for
  /// seconds that takes a millisecond. Unless it is told to use a kept plan, it may judge that a plan for the current
  /// values is cheaper, and make one at each use: for a claim that takes longer than to run it.
  private func beginningAlone(byKeptPlan: Bool, forSession: Bool) -> Statement {
    var settings = [("search_path", "'pg_catalog, pg_temp'"), ("jit", "'off'")]
    if byKeptPlan || isSet {
      settings.append(("plan_cache_mode", byKeptPlan ? "'force_generic_plan'" : "NULL"))
    }
    if let lockLimit {
      settings.append(("lock_timeout", "'\(max(1, lockLimit.milliseconds))'"))
    }
    var list = settings.map { name, value in
      "pg_catalog.set_config('\(name)', \(value), \(!forSession))"
    }
    if serving == .unknown { list.append(Serving.columns) }
    let statement = Statement(verbatim: "SELECT " + list.joined(separator: ", "))
    return byKeptPlan && serving != .unknown ? statement.keepingPlan : statement
  }

  /// Runs one statement outside a transaction, where names are fixed for it in the same round trip.
  func runFixingNames(
    _ statement: Statement, limit: Duration?
  ) throws(PostgresError) -> ResultSet {
    let couldKeepPlan = statement.keepsPlan && keptPlans.isPossible
    let results: [ResultSet]
    do throws(PostgresError) {
      results = try pipeline(
        [statement], after: statementsBefore(alone: statement), limit: limit)
      isStanding = isSet && couldKeepPlan
    } catch {
      // Another server of a pooler does not know the plan; nothing has run yet.
      guard couldKeepPlan, !keptPlans.isPossible, isOpen else { throw error }
      results = try pipeline([statement], limit: limit)
    }
    guard let result = results.last else { throw lose("no result came", in: statement) }
    return result
  }

  /// What is sent before a statement alone.
  ///
  /// A statement that is run often is one of ours, and runs nothing that others have written: in a session that serves
  /// nobody else the first of several in a row says what holds for all of them.
  private func statementsBefore(alone statement: Statement) -> [Statement] {
    guard statement.keepsPlan, keptPlans.isPossible, serving == .onlyThis else {
      return statementsBefore([statement])
    }
    guard !isStanding else { return [] }
    isSet = true
    return [beginningAlone(byKeptPlan: true, forSession: true)]
  }

  /// What is sent before statements that no transaction of ours is around.
  ///
  /// They may run what others have written, which may set something for the session.
  func statementsBefore(_ statements: [Statement]) -> [Statement] {
    isStanding = false
    guard fixesNames, !isInTransaction else { return [] }
    let byKeptPlan = keptPlans.isPossible && statements.allSatisfy(\.keepsPlan)
    return [beginningAlone(byKeptPlan: byKeptPlan, forSession: false)]
  }
}
