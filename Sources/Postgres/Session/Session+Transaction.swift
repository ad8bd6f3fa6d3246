internal import CPostgres

extension Session {
  /// How long the end of a transaction may take that was given no other limit.
  private static let limitOfEnd = Duration.seconds(10)

  /// Begins a transaction with the statements of `script`.
  func begin(_ script: Statement, limit: Duration?) throws(PostgresError) {
    guard !isInTransaction else {
      throw .misuse("a transaction is open already: use savepoint for a part of it")
    }
    do throws(PostgresError) {
      _ = try run(script: script, limit: limit)
    } catch {
      if isInTransaction { rollBack() }
      throw namingHolder(in: error)
    }
  }

  /// Begins a transaction, and runs its first statements in the same round trip.
  func begin(
    _ beginning: [Statement], opening: [Statement], limit: Duration?
  ) throws(PostgresError) -> [ResultSet] {
    guard !isInTransaction else {
      throw .misuse("a transaction is open already: use savepoint for a part of it")
    }
    do throws(PostgresError) {
      // With nothing before the BEGIN: it says how names are looked up.
      isStanding = false
      let results = try pipeline(beginning + opening, after: [], limit: limit)
      return Array(results.dropFirst(beginning.count))
    } catch {
      if isInTransaction { rollBack() }
      throw namingHolder(in: error)
    }
  }

  /// Commits; when the transaction cannot be committed it is rolled back, and the error says so.
  func commit(limit: Duration?) throws(PostgresError) {
    guard isInTransaction || !isOpen else {
      throw .misuse("the transaction was ended by a statement inside it: leave that to its end")
    }
    if isOpen, canceller.isCancelled {
      rollBack()
      throw .cancelled(statement: "COMMIT")
    }
    // From here on a cancel would leave it open whether the work is kept.
    let result: ResultSet
    do throws(PostgresError) {
      result = try run(script: "COMMIT", limit: limit, isCancellable: false)
    } catch {
      // What a constraint puts off until now may wait for a lock as well.
      throw namingHolder(in: error)
    }
    guard result.commandTag == "COMMIT" else { throw .rolledBack }
  }

  /// Runs the last statements of a transaction and commits, in one round trip.
  func commit(after closing: [Statement], limit: Duration?) throws(PostgresError) {
    guard !closing.isEmpty, isInTransaction else { return try commit(limit: limit) }
    do throws(PostgresError) {
      let end = try pipeline(closing + ["COMMIT"], limit: limit).last
      guard end?.commandTag == "COMMIT" else { throw .rolledBack }
    } catch .lost(let server, let reason, _) {
      // The COMMIT has gone out with the others, whichever of them was not answered.
      throw .lost(server: server, reason: reason, statement: "COMMIT")
    } catch {
      rollBack()
      throw namingHolder(in: error)
    }
  }

  /// Rolls back, even after a cancel; a session in which that fails is closed, which rolls back too.
  func rollBack() {
    guard isOpen, transactionStatus != PQTRANS_IDLE else { return }
    end("ROLLBACK")
  }

  /// Undoes what was done since the savepoint, which the transaction survives.
  func rollBackToSavepoint() {
    guard isOpen else { return }
    end("ROLLBACK TO SAVEPOINT part; RELEASE SAVEPOINT part")
  }

  private func end(_ script: Statement) {
    do throws(PostgresError) {
      _ = try run(script: script, limit: Self.limitOfEnd, isCancellable: false)
    } catch {
      if isOpen { _ = lose("'\(script.firstLine)' failed: \(error)", in: script) }
    }
  }
}
