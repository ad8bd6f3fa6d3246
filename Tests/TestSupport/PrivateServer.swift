private import Glibc
public import Postgres

/// A PostgreSQL of a test's own, to be stopped, killed and frozen as the test likes.
///
/// It listens on a unix socket and, when asked, on 127.0.0.1. It is stopped, and its data removed,
/// when the last owner of this object lets go; it stops too when the tests die.
public final class PrivateServer {
  /// The folder of the socket, by which libpq connects.
  public let socketFolder: String

  /// The port: the last part of the socket's name too.
  public let port: Int

  private let folder: ScratchFolder
  private let arguments: [String]
  private var process: ChildProcess?

  /// Starts a server, which listens on 127.0.0.1 as well when `tcp`.
  ///
  /// With an `identity` it offers TLS. The lines of `access` go into `pg_hba.conf` before "everybody
  /// is trusted"; `settings` go before what is usual here, such as `max_connections`.
  public init(
    tcp: Bool = false, identity: Certificate? = nil, access: [String] = [],
    settings: [String: String] = [:]
  ) throws {
    folder = try ScratchFolder()
    socketFolder = folder.path
    port = tcp ? try FreePort.find() : 5432
    try PostgresUser.own(folder.path)
    try ServerTemplate.copy(to: "\(folder.path)/data")
    var settings = settings
    if let identity {
      settings.merge(try Self.install(identity, in: "\(folder.path)/data")) { given, _ in given }
    }
    arguments = Self.arguments(for: folder.path, port: port, tcp: tcp, settings)
    try Self.write(access: access, to: "\(folder.path)/data/pg_hba.conf")
    try start()
  }

  deinit {
    resume()
    try? stop()
  }

  /// The path of the socket.
  public var socket: String { "\(socketFolder)/.s.PGSQL.\(port)" }

  /// The connection string for the superuser and `database`.
  public func url(database: String = "postgres", user: String = "postgres") -> String {
    "host=\(socketFolder) port=\(port) user=\(user) dbname=\(database)"
  }

  /// The connection string over TCP, by the name or number `host`.
  public func tcpURL(host: String = "127.0.0.1", user: String = "postgres") -> String {
    "host=\(host) port=\(port) user=\(user) dbname=postgres"
  }

  /// Opens a connection as superuser.
  public func connect() throws -> Connection {
    try Connection(to: Server(url()))
  }

  /// Starts the server after it was stopped or killed, and waits until it answers.
  public func start() throws {
    let process = try PostgresUser.start(
      "\(try TestEnvironment.postgresPrograms)/postgres", arguments,
      output: "\(folder.path)/log")
    self.process = process
    do {
      try eventually { (try? connect()) != nil }
    } catch {
      throw ProgramFailed(command: "postgres", output: try TextFile.read("\(folder.path)/log"))
    }
  }

  /// Stops the server at once but in order: whoever is connected is sent away.
  public func stop() throws {
    process?.send(SIGINT)
    try process?.status()
    process = nil
  }

  /// Kills the server as a crash does.
  public func kill() throws {
    let children = process.map { ProcessTable.children(of: $0.id) } ?? []
    process?.send(SIGKILL)
    try process?.status()
    process = nil
    // Its children notice by themselves, and hold the memory until then.
    try eventually { children.allSatisfy { Glibc.kill($0, 0) != 0 } }
  }

  /// Freezes every process of the server: nothing answers, and nothing is closed.
  public func pause() {
    guard let process else { return }
    process.send(SIGSTOP)
    ProcessTable.children(of: process.id).forEach { _ = Glibc.kill($0, SIGSTOP) }
  }

  /// Lets a frozen server go on.
  public func resume() {
    guard let process else { return }
    ProcessTable.children(of: process.id).forEach { _ = Glibc.kill($0, SIGCONT) }
    process.send(SIGCONT)
  }

  /// Freezes the one process that serves a connection.
  public func pause(_ backend: Int) {
    _ = Glibc.kill(Int32(backend), SIGSTOP)
  }

  /// Whether a request to cancel waits for that process.
  public static func isToldToCancel(_ backend: Int) -> Bool {
    ProcessTable.isPending(SIGINT, for: Int32(backend))
  }

  /// Lets that process go on.
  public static func resume(_ backend: Int) {
    _ = Glibc.kill(Int32(backend), SIGCONT)
  }
}

extension PrivateServer {
  private static func arguments(
    for folder: String, port: Int, tcp: Bool, _ settings: [String: String]
  ) -> [String] {
    let usual = [
      "listen_addresses": tcp ? "127.0.0.1" : "", "port": "\(port)",
      "unix_socket_directories": folder, "fsync": "off", "full_page_writes": "off",
      "shared_buffers": "16MB", "max_connections": "20",
      // In its own folder: a server that is killed leaves nothing behind elsewhere.
      "dynamic_shared_memory_type": "mmap",
      "log_statement": "none",
    ]
    let all = settings.merging(usual) { given, _ in given }
    return ["-D", "\(folder)/data"]
      + all.sorted { $0.key < $1.key }.flatMap { ["-c", "\($0)=\($1)"] }
  }

  private static func write(access: [String], to path: String) throws {
    let lines = access + ["local all all trust", "host all all 127.0.0.1/32 trust"]
    try TextFile.write(lines.joined(separator: "\n") + "\n", to: path)
    try PostgresUser.own(path)
  }

  private static func install(
    _ identity: Certificate, in data: String
  ) throws -> [String: String] {
    for (source, name) in [(identity.certificate, "server.crt"), (identity.key, "server.key")] {
      try TextFile.write(try TextFile.read(source), to: "\(data)/\(name)")
      try PostgresUser.own("\(data)/\(name)")
    }
    return ["ssl": "on"]
  }
}
