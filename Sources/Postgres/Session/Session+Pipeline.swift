internal import CPostgres

extension Session {
  /// Runs statements in one round trip and, outside a transaction, in one transaction of their own.
  func pipeline(_ statements: [Statement], limit: Duration?) throws(PostgresError) -> [ResultSet] {
    try pipeline(statements, after: statementsBefore(statements), limit: limit)
  }

  /// The same after `others`, whose results are not returned.
  func pipeline(
    _ statements: [Statement], after others: [Statement], limit: Duration?
  ) throws(PostgresError) -> [ResultSet] {
    guard var watch = try beginPipeline(statements, after: others, limit: limit) else { return [] }
    return try endPipeline(statements, after: others, &watch)
  }

  /// Runs statements in one round trip, and does `work` until they are done, which often lets take in what has
  /// come: a server whose words nobody takes in waits.
  func pipeline(
    _ statements: [Statement], limit: Duration?,
    while work: (_ takeIn: () throws -> Void) throws -> Void
  ) throws -> [ResultSet] {
    let others = statementsBefore(statements)
    guard var watch = try beginPipeline(statements, after: others, limit: limit) else {
      try work {}
      return []
    }
    try sendRest(&watch)
    do {
      var calls = 0
      try busy {
        try work {
          if calls.isMultiple(of: Self.betweenLooks) { try consumeInput(in: watch.statement) }
          calls += 1
        }
      }
    } catch {
      // The error of the caller is the one to tell; that the session is gone shows at its next use.
      _ = try? endPipeline(statements, after: others, &watch)
      throw error
    }
    return try endPipeline(statements, after: others, &watch)
  }

  /// Runs a statement for each element that has one; each is made while the server is at the one before.
  func run<Element>(
    forEach elements: some Sequence<Element>, limit: Duration?,
    _ statement: (Element) throws -> Statement?
  ) throws -> [ResultSet] {
    var (results, made) = ([ResultSet](), [Statement]())
    for element in elements {
      let begun = made
      made = []
      results += try pipeline(begun, limit: limit) { takeIn in
        try takeIn()
        if let next = try statement(element) { made.append(next) }
      }
    }
    return results + (try pipeline(made, limit: limit))
  }

  /// After how many calls it is looked for what has come.
  private static let betweenLooks = 128

  /// Gives libpq statements to send together; nothing when there are none.
  private func beginPipeline(
    _ statements: [Statement], after others: [Statement], limit: Duration?
  ) throws(PostgresError) -> Watch? {
    guard let first = statements.first else { return nil }
    for statement in statements { try requireSendable(statement) }
    var watch = Watch(first, limit: limit, canceller: canceller)
    do throws(PostgresError) {
      try keepPlans(of: others + statements, &watch)
    } catch {
      throw givenUpKeepingPlans(after: error, wasInTransaction: true)
    }
    try unsafe send(watch) { pointer in unsafe PQenterPipelineMode(pointer) }
    for statement in others + statements {
      try unsafe queue(in: statement) { pointer in
        unsafe self.sendParameters(of: statement, named: keptPlan(of: statement), to: pointer)
      }
    }
    try unsafe queue(in: first) { pointer in unsafe PQpipelineSync(pointer) }
    return watch
  }

  private func endPipeline(
    _ statements: [Statement], after others: [Statement], _ watch: inout Watch
  ) throws(PostgresError) -> [ResultSet] {
    do throws(PostgresError) {
      return try takeResults(of: statements, after: others, &watch)
    } catch {
      throw namingHolder(in: givenUpKeepingPlans(after: error, wasInTransaction: true))
    }
  }

  /// Gives libpq one more thing to send.
  func queue(
    in statement: Statement, _ send: (OpaquePointer) -> Int32
  ) throws(PostgresError) {
    guard try unsafe withPointer(in: statement, send) == 1 else {
      throw lose(lastError, in: statement)
    }
  }

  /// Takes one result for each statement, or the first error, and leaves the pipeline.
  ///
  /// An error of the `others` before them is that of the first of them: nobody knows of the others.
  func takeResults(
    of statements: [Statement], after others: [Statement] = [], _ watch: inout Watch
  ) throws(PostgresError) -> [ResultSet] {
    var results = [ResultSet]()
    var failure: PostgresError?
    let first = statements.first ?? watch.statement
    for statement in others.map({ _ in first }) + statements {
      watch.statement = statement
      while let result = try nextResult(&watch) {
        results.append(result)
        failure = failure ?? error(in: result, watch)
        if let failure, !isOpen { throw failure }
      }
    }
    try leavePipeline(&watch)
    if let failure { throw failure }
    if !others.isEmpty, let result = results.first { learnServing(from: result) }
    return Array(results.dropFirst(others.count))
  }

  /// Takes the result that marks the end of what was sent together.
  private func leavePipeline(_ watch: inout Watch) throws(PostgresError) {
    let isAtEnd = try nextResult(&watch)?.status == PGRES_PIPELINE_SYNC
    let didLeave = try unsafe withPointer(in: watch.statement) {
      unsafe PQexitPipelineMode($0) == 1
    }
    guard isAtEnd, didLeave else {
      throw lose("its answers are out of order", in: watch.statement)
    }
  }

  /// The columns that `query` would return, found without running it.
  func describe(_ query: Statement, limit: Duration?) throws(PostgresError) -> Columns {
    var watch = Watch(query, limit: limit, canceller: canceller)
    // In one pipeline, so that a pooler cannot send the two to different servers.
    try unsafe send(watch) { pointer in unsafe PQenterPipelineMode(pointer) }
    try unsafe queue(in: query) { unsafe PQsendPrepare($0, "", query.text, 0, nil) }
    try unsafe queue(in: query) { unsafe PQsendDescribePrepared($0, "") }
    try unsafe queue(in: query) { unsafe PQpipelineSync($0) }
    let results = try takeResults(of: [query, query], &watch)
    guard let description = results.last, results.count == 2 else {
      throw lose("its answers are out of order", in: query)
    }
    return description.columns
  }
}
