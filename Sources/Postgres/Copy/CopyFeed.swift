/// The way into the server while a COPY is under way.
public final class CopyFeed {
  private let session: Session
  private var watch: Watch

  /// What is collected until it is much.
  private var buffer = [UInt8]()

  /// Whether a row has what is collected.
  private var isLent = false

  /// Why nothing more can be sent: the server has ended the COPY, or the closure that feeds it has.
  private var end: PostgresError?

  /// How much is collected before it is handed to libpq.
  private static let pieceSize = 64 * 1024

  /// How much libpq is handed at a time: a single value may be larger than it can count.
  private static let largestPiece = 1 << 30

  /// Starts the COPY that `watch` names.
  init(_ watch: Watch, on session: Session) throws(PostgresError) {
    self.session = session
    self.watch = watch
    buffer.reserveCapacity(2 * Self.pieceSize)
    try session.startCopy(.intoServer, &self.watch)
  }

  /// Sends bytes in the format that the COPY names.
  public func send(_ bytes: some Sequence<UInt8>) throws(PostgresError) {
    buffer.append(contentsOf: bytes)
    try flushWhenLarge()
  }

  /// Sends text in the format that the COPY names.
  public func send(_ text: String) throws(PostgresError) {
    try send(text.utf8)
  }

  /// What is collected, for a row to be added to it that is then put back.
  func takeCollected() -> [UInt8] {
    precondition(!isLent, "a row of a COPY ends before the next one begins")
    isLent = true
    var collected = [UInt8]()
    swap(&collected, &buffer)
    return collected
  }

  func putBack(_ collected: consuming [UInt8]) throws(PostgresError) {
    isLent = false
    buffer = collected
    try flushWhenLarge()
  }

  private func flushWhenLarge() throws(PostgresError) {
    if buffer.count >= Self.pieceSize { try flush() }
  }

  private func flush() throws(PostgresError) {
    if let end { throw end }
    defer { buffer.removeAll(keepingCapacity: true) }
    for start in stride(from: 0, to: buffer.count, by: Self.largestPiece) {
      let piece = buffer[start..<min(start + Self.largestPiece, buffer.count)]
      guard try session.putCopyData(piece, &watch) else { throw serverError() }
    }
  }

  /// The error by which the server ended the COPY before its time.
  private func serverError() -> PostgresError {
    do throws(PostgresError) {
      _ = try session.lastResult(&watch)
      end = session.lose("it ended the COPY without a reason", in: watch.statement)
    } catch {
      end = error
    }
    return end ?? .misuse("the COPY has ended")
  }

  /// Ends the COPY and returns the number of rows it wrote.
  func finish() throws(PostgresError) -> Int {
    try flush()
    end = .misuse("'\(watch.statement.firstLine)' has ended: nothing more can be sent")
    try session.endCopy(because: nil, &watch)
    return try session.lastResult(&watch).affected
  }

  /// Ends the COPY so that it writes nothing.
  func giveUp() {
    guard end == nil, session.isOpen else { return }
    end = .misuse("'\(watch.statement.firstLine)' was given up: nothing more can be sent")
    do throws(PostgresError) {
      try session.endCopy(because: "the client gave up", &watch)
      try session.discardRest(&watch, cancelling: false)
    } catch {
      // The caller's own error is the one to tell; a lost session shows at its next use.
      end = error
    }
  }
}
