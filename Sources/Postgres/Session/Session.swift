internal import CPostgres
internal import Glibc

/// The owner of one session with Postgres; every wait in it is bounded.
///
/// It speaks to libpq without blocking: it sends, waits with `poll`, and takes results when they are
/// there. When a deadline passes or a canceller is used it asks Postgres to end the statement, and
/// when Postgres does not do so within the grace the session is closed.
@safe final class Session {
  /// The server as errors name it.
  let server: String

  /// How long the server may take to end what it was asked to end.
  let grace: Duration

  var canceller = Canceller()
  var keptPlans = KeptPlans()

  /// Whether names without a schema are looked up where nobody can put any.
  var fixesNames = false

  /// How long a statement outside a transaction waits for a lock; the transactions have limits of their own.
  var lockLimit: Duration?

  var serving = Serving.unknown

  /// Whether something was set for the session: that a statement alone finds names as it must, and goes by a kept plan.
  var isSet = false

  /// Whether that holds without a doubt, as only such statements have run since.
  var isStanding = false

  /// Nil once the session is closed.
  private var pointer: OpaquePointer?

  /// Whether a stream, a COPY or the work beside a pipeline is under way.
  private var isBusy = false

  /// Why the session was closed.
  private var reasonOfLoss = "it is closed"

  let notices: NoticeSink

  /// What must not be printed.
  private let secrets: [String]

  /// Takes over the open session at `pointer`, which reports to `notices`.
  @unsafe init(
    _ pointer: OpaquePointer, server: String, grace: Duration, notices: NoticeSink,
    secrets: [String]
  ) {
    unsafe self.pointer = pointer
    self.server = server
    self.grace = grace
    self.notices = notices
    // libpq may have found the password where only it looks.
    self.secrets = unsafe secrets + (PQpass(pointer).map { unsafe [String(cString: $0)] } ?? [])
    unsafe PQsetnonblocking(pointer, 1)
  }

  deinit {
    unsafe PQfinish(pointer)
  }

  /// Whether the session can be used.
  var isOpen: Bool {
    unsafe pointer != nil
  }

  /// What Postgres says of the transaction: none, open or failed.
  var transactionStatus: PGTransactionStatusType {
    unsafe pointer.map { unsafe PQtransactionStatus($0) } ?? PQTRANS_UNKNOWN
  }

  /// What the server reports of one of its settings, such as `server_version`.
  func parameter(_ name: String) -> String? {
    unsafe PQparameterStatus(pointer, name).map { unsafe String(cString: $0) }
  }

  /// The role as which the session was opened.
  var role: String? {
    unsafe PQuser(pointer).map { unsafe String(cString: $0) }
  }

  /// The process of the server that serves this session.
  var backendProcess: Int {
    unsafe Int(PQbackendPID(pointer))
  }

  /// The socket to the server; none once the session is closed.
  var descriptor: Int32 {
    unsafe PQsocket(pointer)
  }

  /// Does `work` while nothing else may use the session.
  func busy<Value>(_ work: () throws -> Value) rethrows -> Value {
    isBusy = true
    defer { isBusy = false }
    return try work()
  }

  // MARK: - Sending

  /// Gives libpq something to send, after a look at whether that can work.
  func send(
    _ watch: borrowing Watch, _ send: (OpaquePointer) -> Int32
  ) throws(PostgresError) {
    let statement = watch.statement
    guard !isBusy else {
      throw .misuse(
        "'\(statement.firstLine)' cannot run while the same connection is at something else: "
          + "use a second connection, or read all rows first")
    }
    guard let pointer = unsafe pointer else { throw lost(in: statement) }
    guard watch.canceller?.isCancelled != true else {
      throw .cancelled(statement: statement.firstLine)
    }
    guard unsafe send(pointer) == 1 else { throw lose(lastError, in: statement) }
  }

  /// Gives libpq's function the session; for calls that neither wait nor fail.
  func withPointer<Value>(
    in statement: Statement, _ body: (OpaquePointer) -> Value
  ) throws(PostgresError) -> Value {
    guard let pointer = unsafe pointer else { throw lost(in: statement) }
    return unsafe body(pointer)
  }

  // MARK: - Results

  /// The next result of what was sent, or nil when there is none left.
  func nextResult(
    _ watch: inout Watch, columns: Columns? = nil
  ) throws(PostgresError) -> ResultSet? {
    try awaitResult(&watch)
    guard let pointer = unsafe pointer else { throw lost(in: watch.statement) }
    guard let result = unsafe PQgetResult(pointer) else { return nil }
    return unsafe ResultSet(result, columns: columns, statement: watch.statement)
  }

  private func awaitResult(_ watch: inout Watch) throws(PostgresError) {
    while true {
      let isSent = try flush(in: watch.statement)
      guard unsafe !isSent || PQisBusy(pointer) == 1 else { return }
      try wait(isSent ? POLLIN : POLLIN | POLLOUT, &watch)
      try consumeInput(in: watch.statement)
    }
  }

  /// Sends what can be sent now; false when something is left.
  func flush(in statement: Statement) throws(PostgresError) -> Bool {
    let status = unsafe PQflush(pointer)
    guard status >= 0 else { throw lose(lastError, in: statement) }
    return status == 0
  }

  /// Waits until all is sent: the server does not begin with a statement of which it has only a part.
  ///
  /// What comes meanwhile is taken in, or each side would wait for the other to read.
  func sendRest(_ watch: inout Watch) throws(PostgresError) {
    while try !flush(in: watch.statement) {
      try wait(POLLIN | POLLOUT, &watch)
      try consumeInput(in: watch.statement)
    }
  }

  /// Takes in what has arrived.
  func consumeInput(in statement: Statement) throws(PostgresError) {
    guard unsafe PQconsumeInput(pointer) == 1 else { throw lose(lastError, in: statement) }
  }

  // MARK: - Waiting

  /// Waits for the socket; asks Postgres to end the statement, and gives up when it does not.
  func wait(_ events: Int32, _ watch: inout Watch) throws(PostgresError) {
    while true {
      let readiness = unsafe Readiness.wait(
        for: PQsocket(pointer), events, until: watch.deadlineOfWait,
        unless: watch.interruption == nil ? watch.canceller : nil)
      switch (readiness, watch.interruption) {
      case (.ready, _): return
      case (.cancelled, _): try interrupt(&watch, .cancel)
      case (.late, nil): try interrupt(&watch, .deadline)
      case (.late, .some): try askAgain(&watch)
      }
    }
  }

  /// Whether something has arrived that libpq has not taken in.
  var isReadable: Bool {
    unsafe Readiness.wait(for: PQsocket(pointer), POLLIN, until: Deadline(after: .zero)) == .ready
  }

  /// Asks Postgres to end the statement; it has the grace to do so.
  ///
  /// A request that is still on its way then could end a later statement: the session is closed.
  func interrupt(
    _ watch: inout Watch, _ interruption: Watch.Interruption
  ) throws(PostgresError) {
    watch.interrupt(interruption, until: Deadline(after: grace))
    try askAgain(&watch)
  }

  /// Asks, for the first time or once more: a server that had not begun with the statement yet, as a busy
  /// host lets it wait, has found nothing to end.
  private func askAgain(_ watch: inout Watch) throws(PostgresError) {
    guard let end = watch.endOfGrace, end.remaining > .zero, let pointer = unsafe pointer,
      let request = unsafe CancelRequest(of: pointer),
      Background.run(until: end, { request.send() })
    else { throw lose(noAnswer(watch), in: watch.statement) }
    watch.waitForAnswer(until: Deadline(after: min(grace / 4, end.remaining)))
  }

  private func noAnswer(_ watch: borrowing Watch) -> String {
    let cause =
      switch watch.interruption {
      case .deadline: "it did not end within \(watch.limit?.inWords ?? "its time")"
      default: "it was cancelled"
      }
    return "\(cause), and the server did not answer a cancel request within \(grace.inWords)"
  }

  // MARK: - Losing

  /// Closes the session for good and says why; of one that is lost already, why it was.
  func lose(_ reason: String, in statement: Statement) -> PostgresError {
    if let open = unsafe pointer {
      reasonOfLoss = reason
      unsafe PQfinish(open)
      unsafe pointer = nil
    }
    return lost(in: statement)
  }

  private func lost(in statement: Statement) -> PostgresError {
    .lost(server: server, reason: reasonOfLoss, statement: scrub(statement.firstLine))
  }

  /// What libpq says of its last failure, in one line and without secrets.
  var lastError: String {
    unsafe scrub(String(cString: PQerrorMessage(pointer)).firstSentence)
  }

  /// The text without any password in it.
  func scrub(_ text: String) -> String {
    text.without(secrets)
  }
}
