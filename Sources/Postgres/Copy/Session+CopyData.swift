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
  /// It returns when nearly all is on its way, so that memory stays flat.
  func putCopyData(_ bytes: [UInt8], _ watch: inout Watch) throws(PostgresError) -> Bool {
    while true {
      let status = try unsafe withPointer(in: watch.statement) { pointer in
        unsafe bytes.withUnsafeBytes { bytes in
          unsafe PQputCopyData(
            pointer, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
        }
      }
      guard status != 0 else {
        try waitToSend(&watch)
        continue
      }
      guard status == 1 else { return false }
      while try !flush(in: watch.statement) { try waitToSend(&watch) }
      // The server may have said something meanwhile: an error, or a farewell.
      try consumeInput(in: watch.statement)
      return true
    }
  }

  private func waitToSend(_ watch: inout Watch) throws(PostgresError) {
    try wait(POLLIN | POLLOUT, &watch)
    try consumeInput(in: watch.statement)
  }

  /// Ends a COPY into the server, as a failure when there is a reason.
  func endCopy(because reason: String?, _ watch: inout Watch) throws(PostgresError) {
    while try unsafe withPointer(
      in: watch.statement, { pointer in unsafe PQputCopyEnd(pointer, reason) }) == 0
    {
      try waitToSend(&watch)
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
