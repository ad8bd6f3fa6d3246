/// One open session with Postgres, closed when it goes out of scope.
///
/// A connection has one owner at a time: it is noncopyable, so the compiler proves that no two
/// workers speak on it at once. Its calls wait; run them where waiting is allowed. Only a
/// `Canceller` may be used from another thread.
///
/// Nothing here needs a session of its own on the server: everything works behind a pooler that hands
/// out sessions one transaction at a time.
public struct Connection: ~Copyable {
  let session: Session

  /// How long a statement may take that is given no limit of its own, or nil for ever.
  public let statementLimit: Duration?

  /// How long a statement of a transaction waits for a lock, unless the transaction says otherwise.
  public let lockLimit: Duration?

  let idleLimit: Duration?

  /// Whether names without a schema are looked up where nobody can put any.
  let fixesNames: Bool

  /// Opens a connection to `server`; `notices` hears what Postgres remarks.
  public init(
    to server: Server, notices: @escaping @Sendable (Notice) -> Void = { _ in }
  ) throws(PostgresError) {
    session = try Opening(of: server, notices: NoticeSink(notices)).open()
    statementLimit = server.statementLimit
    lockLimit = server.lockLimit
    idleLimit = server.idleLimit
    fixesNames = server.fixesNames
    (session.fixesNames, session.lockLimit) = (fixesNames, lockLimit)
  }

  /// Whether the connection can be used; once lost it stays lost, and a new one must be opened.
  public var isOpen: Bool { session.isOpen }

  /// Whether a transaction is open, or has failed and is not yet rolled back.
  public var isInTransaction: Bool {
    session.isInTransaction
  }

  /// What ends the statements of this connection from another thread.
  ///
  /// A canceller that was used ends all later statements too, so a new one begins each new task.
  public var canceller: Canceller {
    get { session.canceller }
    nonmutating set { session.canceller = newValue }
  }

  /// The version of the server, such as `15.18`.
  public var serverVersion: String? {
    session.parameter("server_version")
  }

  /// The process on the server that serves this session.
  public var backendProcess: Int { session.backendProcess }

  /// Runs one statement and returns its rows.
  ///
  /// When it takes longer than `limit` (or than the server's `statementLimit`) it is cancelled and
  /// the error is `deadline`; when even that gets no answer the connection is lost.
  @discardableResult
  public func run(
    _ statement: Statement, within limit: Duration? = nil
  ) throws(PostgresError) -> Rows {
    Rows(try session.run(statement, limit: limit ?? statementLimit))
  }

  /// Runs a statement that is run often in the same words: the server keeps its plan where it can.
  ///
  /// Behind a pooler it is run like any other; the first transaction that meets one there may fail as
  /// `retryable`.
  @discardableResult
  public func run(
    keepingPlanOf statement: Statement, within limit: Duration? = nil
  ) throws(PostgresError) -> Rows {
    try run(statement.keepingPlan, within: limit)
  }

  /// Has the server keep no plans from here on, for a transaction that cannot be tried again: behind a pooler
  /// the first statement that asks for one may end it.
  public func keepNoPlans() {
    session.keptPlans = KeptPlans(isPossible: false)
  }

  /// Runs any number of statements, separated by semicolons, in one transaction unless they say otherwise.
  ///
  /// They have no parameters and return nothing: this is for migrations.
  public func run(
    script: String, within limit: Duration? = nil
  ) throws(PostgresError) {
    let fixing = session.resettingForScript + (fixesNames ? [Session.fixingNames] : [])
    _ = try session.run(
      script: Statement(verbatim: script),
      after: isInTransaction ? "" : fixing.map { "\($0); " }.joined(),
      limit: limit ?? statementLimit)
  }

  /// Runs one statement that Postgres refuses in a transaction, such as VACUUM.
  ///
  /// Names without a schema are looked up as the role has it, whatever ``Server/fixesNames`` says: it has none.
  public func run(
    outsideTransactions statement: Statement, within limit: Duration? = nil
  ) throws(PostgresError) {
    try session.resetSettings(limit: limit ?? statementLimit)
    _ = try session.run(alone: statement, limit: limit ?? statementLimit)
  }

  /// Runs statements in one round trip and, outside a transaction, in one transaction of their own.
  ///
  /// The rows of each are returned in order. After an error none of them has any effect.
  @discardableResult
  public func pipeline(
    _ statements: [Statement], within limit: Duration? = nil
  ) throws(PostgresError) -> [Rows] {
    try session.pipeline(statements, limit: limit ?? statementLimit).map(Rows.init)
  }

  /// Runs statements in one round trip, and does `work` with each of `elements` while the server is at them.
  ///
  /// The limit holds for both. When `work` throws, the statements end first, and the error then goes on to
  /// the caller; until they have ended nothing else can run on the connection.
  ///
  /// It is inlined: elsewhere than in its caller the runtime looks up what the elements are, for each of them.
  @inlinable
  public func pipeline<Element>(
    _ statements: [Statement], within limit: Duration? = nil,
    whileEach elements: some Sequence<Element>, _ work: (Element) throws -> Void
  ) throws -> [Rows] {
    try pipeline(statements, within: limit) { takeIn in
      for element in elements {
        try takeIn()
        try work(element)
      }
    }
  }

  /// Runs statements in one round trip, and does `work` while the server is at them, which at times lets take
  /// in what has come.
  @usableFromInline
  func pipeline(
    _ statements: [Statement], within limit: Duration?,
    while work: (_ takeIn: () throws -> Void) throws -> Void
  ) throws -> [Rows] {
    try session.pipeline(statements, limit: limit ?? statementLimit, while: work).map(Rows.init)
  }

  /// Runs a statement for each of `elements` that has one, in order, and makes each while the server is at the
  /// one before.
  ///
  /// The limit holds for each statement together with what is made meanwhile. After an error no other is run;
  /// outside a transaction those before it stay, as each is one of its own.
  @discardableResult
  public func run<Element>(
    forEach elements: some Sequence<Element>, within limit: Duration? = nil,
    _ statement: (Element) throws -> Statement?
  ) throws -> [Rows] {
    try session.run(
      forEach: elements, limit: limit ?? statementLimit, statement
    ).map(Rows.init)
  }
}

extension Connection {
  /// Who has the strongest lock on a table that is named in `words`, and since when; nobody when none can be seen.
  public func lockHolder(of words: String) throws(PostgresError) -> LockHolder? {
    try session.holder(of: words)
  }

  /// The error of a transaction that is over; of a lock that was not had in time, with who seems to hold it.
  package func namingHolder(in error: any Error) -> any Error {
    session.namingHolder(in: error)
  }
}

extension Connection {
  /// Refuses a session that may only read, as the first statement that writes would be refused.
  public func requireWritable() throws(PostgresError) {
    let row = try run(
      "SELECT current_setting('transaction_read_only') = 'on', pg_is_in_recovery()"
    ).only
    let (isReadOnly, isStandby): (Bool, Bool) = (try row[0], try row[1])
    guard isReadOnly else { return }
    var report = ServerReport(
      sqlState: ServerReport.readOnly, message: "the role may only read here", statement: "")
    report.readOnly = isStandby ? .standby : .setting
    throw .failed(report)
  }
}
