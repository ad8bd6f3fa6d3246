internal import CPostgres
internal import Glibc

extension Session {
  /// Whether the server's process serves this session alone, once that is known: a pooler's serves others as well.
  enum Serving {
    case unknown, several, onlyThis

    /// What tells of the process that serves us, and which port it sees at our end.
    static let columns = """
      pg_catalog.pg_backend_pid()::bigint AS process, \
      coalesce(pg_catalog.inet_client_port(), 0)::bigint AS port
      """
  }

  /// Takes note of what the server has said of the process that serves us.
  ///
  /// A pooler gives its clients a process number of its own making. Where one passes on the server's, the server has
  /// the pooler's port before it, and not ours.
  func learnServing(from result: ResultSet) {
    guard serving == .unknown, let row = Rows(result).first,
      let process: Int = try? row["process"], let port: Int = try? row["port"]
    else { return }
    serving = process == backendProcess && port == localPort ? .onlyThis : .several
  }

  /// The port at our end of the connection; 0 where it is a socket in a folder.
  private var localPort: Int {
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let isKnown = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isKnown, [AF_INET, AF_INET6].contains(Int32(address.ss_family)) else { return 0 }
    // Both kinds of address have it in the same place.
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        Int(UInt16(bigEndian: unsafe $0.pointee.sin_port))
      }
    }
  }

  /// Gives back what was set for the session.
  func resetSettings(limit: Duration?) throws(PostgresError) {
    guard isSet, !isInTransaction else { return }
    let script = Self.names.map { "RESET \($0)" }.joined(separator: "; ")
    _ = try run(script: Statement(verbatim: script), limit: limit)
    isSet = false
  }

  /// The same for the transaction of a script.
  var resettingForScript: [String] {
    isSet ? Self.names.map { "SET LOCAL \($0) TO DEFAULT" } : []
  }

  private static let names = ["search_path", "jit", "plan_cache_mode", "lock_timeout"]
}
