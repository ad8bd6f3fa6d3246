internal import CPostgres
internal import Glibc

extension Session {
  /// Which way a COPY goes.
  enum CopyDirection {
    case intoServer
    case outOfServer
  }

  /// Starts a COPY that goes in `direction`.
  func startCopy(
    _ direction: CopyDirection, _ watch: inout Watch
  ) throws(PostgresError) {
    let status = direction == .intoServer ? PGRES_COPY_IN : PGRES_COPY_OUT
    try send(script: watch)
    guard let result = try nextResult(&watch) else {
      throw lose("no result came", in: watch.statement)
    }
    guard result.status != status else { return }
    if let failure = error(in: result, watch) {
      if isOpen { try discardRest(&watch, cancelling: false) }
      throw failure
    }
    try discardRest(&watch, cancelling: true)
    throw .misuse("'\(watch.statement.firstLine)' is no COPY in this direction")
  }

  /// Sends a piece of a COPY; false when the server has ended the COPY, with an error to come.
  ///
  /// It returns when all is on its way, so that memory stays flat.
  func putCopyData(_ bytes: ArraySlice<UInt8>, _ watch: inout Watch) throws(PostgresError) -> Bool {
    let remarks = notices.count
    var hasSpoken = false
    guard try queueCopyData(bytes, in: watch.statement) else { return false }
    while try !flush(in: watch.statement) {
      try wait(POLLIN | POLLOUT, &watch)
      hasSpoken = try takeInput(in: watch.statement) || hasSpoken
    }
    hasSpoken = try takeInput(in: watch.statement) || hasSpoken
    guard hasSpoken else { return true }
    // libpq shows an error only when the COPY has ended. But it tells notices when it is given
    // more, even nothing; and a server that speaks and does not remark anything has failed.
    guard try queueCopyData([], in: watch.statement), notices.count == remarks else { return true }
    try endCopy(because: "the server has ended it", &watch)
    return false
  }

  /// Hands bytes to libpq; false when no COPY is under way.
  private func queueCopyData(
    _ bytes: ArraySlice<UInt8>, in statement: Statement
  ) throws(PostgresError) -> Bool {
    try unsafe withPointer(in: statement) { pointer in
      unsafe bytes.withUnsafeBytes { bytes in
        let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        return unsafe PQputCopyData(pointer, start, Int32(bytes.count)) == 1
      }
    }
  }

  /// Takes in what has arrived, if anything has.
  private func takeInput(in statement: Statement) throws(PostgresError) -> Bool {
    guard isReadable else { return false }
    try consumeInput(in: statement)
    return true
  }

  /// Ends a COPY into the server, as a failure when there is a reason.
  func endCopy(because reason: String?, _ watch: inout Watch) throws(PostgresError) {
    while try unsafe withPointer(
      in: watch.statement, { pointer in unsafe PQputCopyEnd(pointer, reason) }) == 0
    {
      try wait(POLLIN | POLLOUT, &watch)
      try consumeInput(in: watch.statement)
    }
  }

  /// The next piece of a COPY out of the server, or nil when the COPY has ended.
  func nextCopyData(_ watch: inout Watch) throws(PostgresError) -> CopyData? {
    while true {
      var buffer: UnsafeMutablePointer<CChar>?
      let size = try unsafe withPointer(in: watch.statement) { pointer in
        unsafe PQgetCopyData(pointer, &buffer, 1)
      }
      if size > 0, let buffer = unsafe buffer { return unsafe CopyData(buffer, count: Int(size)) }
      guard size == 0 else { return nil }
      try wait(POLLIN, &watch)
      try consumeInput(in: watch.statement)
    }
  }
}
