internal import CPostgres
internal import Glibc

/// One attempt to open a session at one address.
@safe struct Attempt: ~Copyable {
  /// Nil once the session is open and somebody else's.
  private var pointer: OpaquePointer?

  private let secrets: [String]

  /// Begins to connect with `options`; what has gone wrong already shows in `finish`.
  init?(_ options: [String: String], notices: NoticeSink, secrets: [String]) {
    let keywords = Array(options.keys)
    let values = keywords.map { options[$0] ?? "" }
    let pointer = unsafe withCStrings(keywords) { keywords in
      unsafe withCStrings(values) { values in unsafe PQconnectStartParams(keywords, values, 0) }
    }
    guard let pointer = unsafe pointer else { return nil }
    unsafe self.pointer = pointer
    self.secrets = secrets
    unsafe notices.attach(to: pointer)
    // Only in verbose errors does libpq tell the SQLSTATE of a refusal.
    unsafe PQsetErrorVerbosity(pointer, PQERRORS_VERBOSE)
  }

  deinit {
    unsafe PQfinish(pointer)
  }

  /// Waits until the session is open; then it is the caller's.
  @unsafe mutating func finish(before deadline: Deadline) throws(ConnectFailure) -> OpaquePointer {
    guard let pointer = unsafe pointer, unsafe PQstatus(pointer) != CONNECTION_BAD else {
      throw failure
    }
    var status = PGRES_POLLING_WRITING
    while status != PGRES_POLLING_OK {
      guard status != PGRES_POLLING_FAILED else { throw failure }
      let events = status == PGRES_POLLING_READING ? POLLIN : POLLOUT
      let readiness = unsafe Readiness.wait(for: PQsocket(pointer), events, until: deadline)
      guard readiness == .ready else { throw .unreachable("it did not answer in time") }
      status = unsafe PQconnectPoll(pointer)
    }
    unsafe PQsetErrorVerbosity(pointer, PQERRORS_DEFAULT)
    unsafe self.pointer = nil
    return unsafe pointer
  }

  private var failure: ConnectFailure {
    let text = unsafe String(cString: PQerrorMessage(pointer)).without(secrets + [password])
    return ConnectFailure(libpq: text)
  }

  /// The password that libpq found, which must not be printed.
  private var password: String {
    unsafe PQpass(pointer).map { unsafe String(cString: $0) } ?? ""
  }
}
