/// Opens a session at the first address of a server that serves, within its connect timeout.
struct Opening {
  private let server: Server
  private let notices: NoticeSink
  private let password: String?
  private let deadline: Deadline

  init(of server: Server, notices: NoticeSink) throws(PostgresError) {
    self.server = server
    self.notices = notices
    password = try server.password.password()
    try ConnectionFiles.check(server.options)
    deadline = Deadline(after: server.connectTimeout)
  }

  /// Tries one address after the other.
  ///
  /// libpq would do so too, but could then spend all the time on the first one.
  func open() throws(PostgresError) -> Session {
    guard server.options["target_session_attrs"] == "prefer-standby" else {
      return try open(["target_session_attrs": server.options["target_session_attrs"] ?? "any"])
    }
    do throws(PostgresError) {
      return try open(["target_session_attrs": "standby"])
    } catch .cannotReach {
      return try open(["target_session_attrs": "any"])
    }
  }

  private func open(_ options: [String: String]) throws(PostgresError) -> Session {
    var waiting = server.options.hosts
    var failures = [Failure]()
    while !waiting.isEmpty {
      let host = waiting.removeFirst()
      let share = share(of: waiting.count + 1)
      do throws(ConnectFailure) {
        guard host.needsResolving else { return try attempt(host, options, before: share) }
        waiting = try addresses(of: host, before: share) + waiting
      } catch {
        failures.append(try self.failure(at: host, error))
      }
    }
    // Of several that fail differently, none tells what to do about all.
    let states = Set(failures.map(\.sqlState))
    throw .cannotReach(
      server: server.description, reason: summary(of: failures),
      sqlState: states.count == 1 ? states.first ?? nil : nil)
  }

  /// Why an address cannot be reached.
  private typealias Failure = (host: Host, reason: String, sqlState: String?)

  /// What goes into the summary of all addresses; a refusal ends the search.
  private func failure(
    at host: Host, _ failure: ConnectFailure
  ) throws(PostgresError) -> Failure {
    switch failure {
    case .unreachable(let reason, let sqlState):
      return (host, reason, sqlState)
    case .refused(let reason, let sqlState):
      throw .refused(server: server.description, reason: reason, sqlState: sqlState)
    case .unusable(let reason):
      throw .unusable("libpq cannot use the connection string: \(reason)")
    }
  }

  /// An equal part of the time that is left, for the first of `count` addresses.
  private func share(of count: Int) -> Deadline {
    let equal = deadline.remaining / count
    let limit = server.options["connect_timeout"].flatMap(Int.init)
    guard let limit, limit > 0 else { return Deadline(after: equal) }
    return Deadline(after: min(equal, .seconds(limit)))
  }

  private func addresses(
    of host: Host, before deadline: Deadline
  ) throws(ConnectFailure) -> [Host] {
    try Resolver.addresses(of: host.name, before: deadline).map { address in
      Host(name: host.name, address: address, port: host.port)
    }
  }

  private func attempt(
    _ host: Host, _ options: [String: String], before deadline: Deadline
  ) throws(ConnectFailure) -> Session {
    var secrets = server.options.secrets
    if let password { secrets.append(password) }
    let options = self.options(for: host).merging(options) { _, role in role }
    guard var attempt = Attempt(options, notices: notices, secrets: secrets) else {
      throw .unreachable("no memory is left for a connection")
    }
    let pointer = unsafe try attempt.finish(before: deadline)
    return unsafe Session(
      pointer, server: server.description, grace: server.grace, notices: notices,
      secrets: secrets)
  }

  /// What libpq is told; what the connection string says goes before what is usual here.
  func options(for host: Host) -> [String: String] {
    var options = server.options.replacing([
      "host": host.name, "hostaddr": host.address, "port": host.port,
    ])
    options["password"] = password ?? options["password"]
    let usual = [
      "application_name": server.applicationName, "client_encoding": "UTF8",
      "keepalives_idle": seconds(server.keepaliveIdle),
      "keepalives_interval": seconds(server.keepaliveInterval),
      "keepalives_count": "\(server.keepaliveCount)",
      "tcp_user_timeout": "\(server.tcpUserTimeout.milliseconds)",
    ]
    return options.merging(usual) { given, _ in given }
  }

  private func seconds(_ duration: Duration) -> String {
    "\(max(1, duration.components.seconds))"
  }

  private func summary(of failures: [Failure]) -> String {
    guard failures.count > 1 else { return failures.first?.reason ?? "there is no address" }
    return failures.map { "\($0.host): \($0.reason)" }.joined(separator: "; ")
  }
}

extension Duration {
  /// The whole milliseconds.
  var milliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}
