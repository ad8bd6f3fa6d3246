internal import CPostgres

extension Session {
  /// Whether a transaction is open or has failed.
  var isInTransaction: Bool {
    transactionStatus == PQTRANS_INTRANS || transactionStatus == PQTRANS_INERROR
  }

  /// Hands rows to `receive` as they come.
  func stream(
    _ statement: Statement, limit: Duration?, _ receive: (Row) throws -> StreamStep
  ) throws {
    let wasInTransaction = isInTransaction
    var watch = Watch(statement, limit: limit, isPerWait: true, canceller: canceller)
    try requireSendable(statement)
    try unsafe send(watch) { pointer in unsafe self.sendParameters(of: statement, to: pointer) }
    _ = try unsafe withPointer(in: statement) { unsafe PQsetSingleRowMode($0) }
    try busy {
      guard try deliver(&watch, receive) == .enough else { return }
      let ending = try discardRest(&watch, cancelling: !wasInTransaction)
      // What a cancel did is no news, but an error has failed the transaction.
      if let ending, wasInTransaction { throw ending }
    }
  }

  /// Hands rows over until there are none left or `receive` has enough.
  private func deliver(
    _ watch: inout Watch, _ receive: (Row) throws -> StreamStep
  ) throws -> StreamStep {
    var columns: Columns?
    while let result = try nextResult(&watch, columns: columns) {
      guard result.status == PGRES_SINGLE_TUPLE else {
        try finishStream(with: result, &watch)
        return .more
      }
      columns = result.columns
      guard watch.interruption == nil else { continue }
      guard try hand(Row(0, of: result), to: receive, &watch) == .more else { return .enough }
    }
    return .more
  }

  private func hand(
    _ row: Row, to receive: (Row) throws -> StreamStep, _ watch: inout Watch
  ) throws -> StreamStep {
    do {
      return try receive(row)
    } catch {
      // The error of the caller is the one to tell; that the session is gone shows at its next use.
      _ = try? discardRest(&watch, cancelling: true)
      throw error
    }
  }

  /// Takes what follows the last row, and throws when it is an error or rows were left out.
  private func finishStream(with result: ResultSet, _ watch: inout Watch) throws {
    let failure = error(in: result, watch)
    if isOpen { try discardRest(&watch, cancelling: false) }
    if let failure { throw failure }
    if watch.interruption != nil { throw watch.errorOfInterruption }
  }
}
