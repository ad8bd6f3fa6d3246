internal import CPostgres
internal import Glibc

extension Session {
  /// Runs one statement and returns all it returns.
  func run(_ statement: Statement, limit: Duration?) throws(PostgresError) -> ResultSet {
    guard fixesNames, !isInTransaction else { return try run(alone: statement, limit: limit) }
    return try runFixingNames(statement, limit: limit)
  }

  /// Runs one statement as it is, with nothing before it.
  func run(alone statement: Statement, limit: Duration?) throws(PostgresError) -> ResultSet {
    var watch = Watch(statement, limit: limit, canceller: canceller)
    try requireSendable(statement)
    if statement.keepsPlan, let result = try runKeepingPlan(&watch) { return result }
    try unsafe send(watch) { pointer in unsafe self.sendParameters(of: statement, to: pointer) }
    return try lastResult(&watch)
  }

  /// Runs any number of statements that have no parameters, without looking at what they return.
  func run(
    script: Statement, after prefix: String = "", limit: Duration?, isCancellable: Bool = true
  ) throws(PostgresError) -> ResultSet {
    isStanding = false
    var watch = Watch(script, limit: limit, canceller: isCancellable ? canceller : nil)
    try send(script: watch, after: prefix)
    return try lastResult(&watch)
  }

  /// Sends statements that have no parameters, in the simple protocol.
  func send(script watch: borrowing Watch, after prefix: String = "") throws(PostgresError) {
    let statement = watch.statement
    guard statement.parameters.isEmpty else {
      throw .misuse("'\(statement.firstLine)' cannot have parameters")
    }
    try requireText(statement)
    try unsafe send(watch) { pointer in unsafe PQsendQuery(pointer, prefix + statement.text) }
  }

  /// Hands a statement and its parameters to libpq, under the name by which the server knows it if it
  /// has one; results come in the binary format.
  @unsafe func sendParameters(
    of statement: Statement, named name: String? = nil, to pointer: OpaquePointer
  ) -> Int32 {
    let parameters = statement.parameters
    // One allocation holds all values; one byte more, so that an empty value has an address too.
    var bytes = [UInt8]()
    bytes.reserveCapacity(parameters.reduce(1) { $0 + ($1.bytes?.count ?? 0) })
    let starts = parameters.map { parameter in
      defer { bytes.append(contentsOf: parameter.bytes ?? []) }
      return bytes.count
    }
    bytes.append(0)
    return unsafe bytes.withUnsafeBufferPointer { buffer in
      let base = unsafe UnsafeRawPointer(buffer.baseAddress)?.assumingMemoryBound(to: CChar.self)
      let values = unsafe zip(starts, parameters).map { start, parameter in
        unsafe parameter.bytes == nil ? nil : base?.advanced(by: start)
      }
      let lengths = parameters.map { Int32(truncatingIfNeeded: $0.bytes?.count ?? 0) }
      let formats = parameters.map { _ in Int32(1) }
      guard let name else {
        return unsafe PQsendQueryParams(
          pointer, statement.text, Int32(parameters.count), parameters.map(\.type.oid), values,
          lengths, formats, 1)
      }
      return unsafe PQsendQueryPrepared(
        pointer, name, Int32(parameters.count), values, lengths, formats, 1)
    }
  }

  /// Refuses what libpq would cut short or Postgres cannot take.
  func requireSendable(_ statement: Statement) throws(PostgresError) {
    try requireText(statement)
    guard statement.parameters.count <= Int(UInt16.max) else {
      throw .misuse(
        "'\(statement.firstLine)' has \(statement.parameters.count) parameters, more than 65535: "
          + "send an array in one parameter")
    }
    let size = statement.parameters.reduce(0) { $0 + ($1.bytes?.count ?? 0) }
    guard size < Self.largestMessage else {
      throw .misuse(
        "the parameters of '\(statement.firstLine)' are \(size) bytes, more than Postgres takes: "
          + "send them in parts, or by copy")
    }
    for (index, parameter) in statement.parameters.enumerated() {
      guard let problem = parameter.problem else { continue }
      throw PostgresError(problem, parameter: index + 1, of: statement)
    }
  }

  /// Postgres takes messages of up to a gigabyte.
  private static let largestMessage = 1_000_000_000

  private func requireText(_ statement: Statement) throws(PostgresError) {
    // What the server keeps was sent before.
    guard keptPlan(of: statement) == nil else { return }
    let text = statement.text
    guard unsafe text.withCString({ unsafe strlen($0) }) == text.utf8.count else {
      throw .misuse("a statement cannot hold the character U+0000")
    }
  }

  /// Takes results until none is left; the last one, or the first error.
  func lastResult(_ watch: inout Watch) throws(PostgresError) -> ResultSet {
    var last: ResultSet?
    var failure: PostgresError?
    while let result = try nextResult(&watch) {
      last = result
      failure = failure ?? error(in: result, watch)
      // The session is closed when the error was fatal: there is nothing left to take.
      guard isOpen else { break }
      let misuse = try endUnexpectedCopy(result, &watch)
      failure = failure ?? misuse
    }
    if let failure { throw failure }
    guard let last else { throw lose("no result came", in: watch.statement) }
    return last
  }

  /// Ends a COPY that was run like any other statement, and says how to run it.
  private func endUnexpectedCopy(
    _ result: ResultSet, _ watch: inout Watch
  ) throws(PostgresError) -> PostgresError? {
    switch result.status {
    case PGRES_COPY_IN: try endCopy(because: "not run as a COPY", &watch)
    case PGRES_COPY_OUT: while try nextCopyData(&watch) != nil {}
    default: return nil
    }
    return .misuse("'\(watch.statement.firstLine)' is a COPY: use copyIn or copyOut")
  }

  /// Takes and drops what is left of a statement, which the server ends early when `cancelling`.
  ///
  /// Returns the error with which it ended; throws only when the session is gone.
  @discardableResult
  func discardRest(
    _ watch: inout Watch, cancelling: Bool
  ) throws(PostgresError) -> PostgresError? {
    if cancelling, watch.interruption == nil { try interrupt(&watch, .enough) }
    var ending: PostgresError?
    while let result = try nextResult(&watch) {
      _ = try endUnexpectedCopy(result, &watch)
      let failure = error(in: result, watch)
      if let failure, !isOpen { throw failure }
      ending = ending ?? failure
    }
    return ending
  }
}
