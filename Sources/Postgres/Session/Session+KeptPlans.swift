internal import CPostgres

/// The statements whose plans the server keeps for one session.
struct KeptPlans {
  /// The names under which the server knows them, by the pieces of their texts: to put these together each
  /// time would take longer than to find them.
  var names: [[String]: String] = [:]

  /// Whether the session has always been the same one: a pooler hands out others.
  var isPossible = true
}

extension Session {
  /// Runs a statement by a plan that the server keeps, or nothing when that cannot be done here.
  ///
  /// To parse and plan it anew takes longer than to run it. Behind a pooler the server of the next
  /// statement may be another, which does not know the name: then, before anything has run, this gives
  /// up for good, and the statement is sent as a whole.
  func runKeepingPlan(_ watch: inout Watch) throws(PostgresError) -> ResultSet? {
    guard keptPlans.isPossible else { return nil }
    let (statement, wasInTransaction) = (watch.statement, isInTransaction)
    do throws(PostgresError) {
      try keepPlans(of: [statement], &watch)
      try unsafe send(watch) { pointer in
        unsafe self.sendParameters(of: statement, named: keptPlan(of: statement), to: pointer)
      }
      return try lastResult(&watch)
    } catch {
      let error = givenUpKeepingPlans(after: error, wasInTransaction: wasInTransaction)
      guard !keptPlans.isPossible, !wasInTransaction, isOpen else { throw error }
      return nil
    }
  }

  /// Tells the server to keep the plans of those statements that want it and are new to it.
  func keepPlans(of statements: [Statement], _ watch: inout Watch) throws(PostgresError) {
    guard keptPlans.isPossible else { return }
    for statement in statements where statement.keepsPlan {
      guard keptPlans.names[statement.pieces] == nil else { continue }
      let name = statement.planName
      try keepPlan(of: statement, named: name, &watch)
      keptPlans.names[statement.pieces] = name
    }
  }

  /// A plan that was made where names are looked up elsewhere would be made anew at its first use.
  private func keepPlan(
    of statement: Statement, named name: String, _ watch: inout Watch
  ) throws(PostgresError) {
    let types = statement.parameters.map(\.type.oid)
    let others = statementsBefore([statement])
    guard let other = others.first else {
      try unsafe send(watch) { pointer in
        unsafe PQsendPrepare(pointer, name, statement.text, Int32(types.count), types)
      }
      _ = try lastResult(&watch)
      return
    }
    try unsafe send(watch) { pointer in unsafe PQenterPipelineMode(pointer) }
    try unsafe queue(in: statement) { unsafe self.sendParameters(of: other, to: $0) }
    try unsafe queue(in: statement) {
      unsafe PQsendPrepare($0, name, statement.text, Int32(types.count), types)
    }
    try unsafe queue(in: statement) { unsafe PQpipelineSync($0) }
    _ = try takeResults(of: [statement], after: others, &watch)
  }

  /// The name under which the server keeps the plan of a statement.
  func keptPlan(of statement: Statement) -> String? {
    guard statement.keepsPlan, keptPlans.isPossible else { return nil }
    return keptPlans.names[statement.pieces]
  }

  /// Stops keeping plans when the server answered that it does not know one, or knows another.
  ///
  /// A transaction has ended with such an answer: as a whole it can be tried again.
  func givenUpKeepingPlans(
    after error: PostgresError, wasInTransaction: Bool
  ) -> PostgresError {
    guard isOpen, keptPlans.isPossible, let report = error.report,
      Self.signsOfAnotherServer.contains(report.sqlState)
    else { return error }
    keptPlans = KeptPlans(isPossible: false)
    return wasInTransaction ? .retryable(report) : error
  }

  /// The name is unknown, or known already, or the plan is for a schema that was changed since.
  private static let signsOfAnotherServer: Set<String> = ["26000", "42P05", "0A000"]
}

extension Statement {
  /// A name that only this text has.
  fileprivate var planName: String {
    let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { hash, byte in
      (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    }
    return "worker_" + String(hash, radix: 36)
  }
}
