import Postgres
import TestSupport
import Testing

@Suite struct OpeningTests {
  @Test func `a socket that is not there cannot be reached`() throws {
    let folder = try ScratchFolder()
    let server = try Server("host=\(folder.path) dbname=app user=worker")

    let error = refusal { try Connection(to: server) }

    #expect(
      error?.description
        == "cannot reach Postgres at \(folder.path):5432 (database 'app'): "
        + "No such file or directory; check that it runs and that the address is right")
  }

  @Test func `a port where nobody listens cannot be reached`() throws {
    let port = try FreePort.find()
    let server = try Server("host=127.0.0.1 port=\(port) dbname=app user=worker")

    let error = refusal { try Connection(to: server) }

    #expect(
      error?.description
        == "cannot reach Postgres at 127.0.0.1:\(port) (database 'app'): "
        + "Connection refused; check that it runs and that the address is right")
  }

  @Test func `a server that accepts and never answers is given up in time`() throws {
    let silent = try SilentServer()
    var server = try Server("host=127.0.0.1 port=\(silent.port) dbname=app user=worker")
    server.connectTimeout = .milliseconds(300)

    let (error, took) = timed { refusal { try Connection(to: server) } }

    #expect(
      error?.description
        == "cannot reach Postgres at 127.0.0.1:\(silent.port) (database 'app'): "
        + "it did not answer in time; check that it runs and that the address is right")
    #expect(took >= .milliseconds(300) && took < .hang, "took \(took)")
  }

  @Test func `a network without a way is given up in time`() throws {
    // Addresses of this block are never given to anybody.
    var server = try Server("host=192.0.2.1 dbname=app user=worker")
    server.connectTimeout = .milliseconds(300)

    let (error, took) = timed { refusal { try Connection(to: server) } }

    guard case .cannotReach? = error else {
      Issue.record("\(told(error))")
      return
    }
    #expect(took < .hang, "took \(took)")
  }

  @Test func `a name without an address cannot be reached`() throws {
    var server = try Server("host=no-such-host.invalid dbname=app user=worker")
    server.connectTimeout = .seconds(2)

    let (error, took) = timed { refusal { try Connection(to: server) } }

    let beginning =
      "cannot reach Postgres at no-such-host.invalid:5432 (database 'app'): "
      + "the name 'no-such-host.invalid' "
    #expect(error?.description.hasPrefix(beginning) == true, "\(told(error))")
    #expect(took < .hang, "took \(took)")
  }

  @Test(arguments: [1, 2])
  func `servers that have no connection left say so, and what to do`(hosts: Int) throws {
    let server = try PrivateServer(settings: [
      "max_connections": "4", "superuser_reserved_connections": "0",
    ])
    let folders = Array(repeating: server.socketFolder, count: hosts).joined(separator: ",")
    let address = try Server("host=\(folders) port=5432 user=postgres dbname=postgres")

    let error = refusal { try Self.openMore(to: address) }

    #expect(
      error?.description.hasSuffix(
        "sorry, too many clients already; it has no connection left: raise max_connections or lower"
          + " 'workers' ('worker doctor --only connections' counts them)") == true, "\(told(error))"
    )
  }

  /// Opens one connection after the other until there is none left.
  private static func openMore(to server: Server) throws(PostgresError) {
    let connection = try Connection(to: server)
    try openMore(to: server)
    _ = connection.isOpen
  }

  @Test func `a silent first host leaves time for the second`() throws {
    let silent = try SilentServer()
    let live = try PrivateServer(tcp: true)
    var server = try Server(
      "host=127.0.0.1,127.0.0.1 port=\(silent.port),\(live.port) user=postgres dbname=postgres")
    server.connectTimeout = .seconds(2)

    let (one, took) = try timed { try Connection(to: server).value("SELECT 1", as: Int.self) }

    #expect(one == 1)
    #expect(took >= .seconds(1) && took < .hang, "took \(took)")
  }

  @Test func `connect_timeout bounds each host`() throws {
    let silent = try SilentServer()
    let live = try PrivateServer(tcp: true)
    var server = try Server(
      "host=127.0.0.1,127.0.0.1 port=\(silent.port),\(live.port) user=postgres dbname=postgres "
        + "connect_timeout=1")
    server.connectTimeout = .seconds(1200)

    let (_, took) = try timed { try Connection(to: server).value("SELECT 1", as: Int.self) }

    #expect(took >= .seconds(1) && took < .hang, "took \(took)")
  }

  @Test func `read-write passes over a dead and a read-only host`() throws {
    let standby = try PrivateServer(settings: ["default_transaction_read_only": "on"])
    let primary = try PrivateServer()
    let dead = try ScratchFolder()
    let hosts = [dead.path, standby.socketFolder, primary.socketFolder].joined(separator: ",")
    let server = try Server(
      "host=\(hosts) user=postgres dbname=postgres target_session_attrs=read-write")

    let folder = try Connection(to: server).value(
      "SELECT current_setting('unix_socket_directories')", as: String.self)

    #expect(folder == primary.socketFolder)
  }

  @Test func `the error of several hosts says what each of them said`() throws {
    let standby = try PrivateServer(settings: ["default_transaction_read_only": "on"])
    let dead = try ScratchFolder()
    let server = try Server(
      "host=\(dead.path),\(standby.socketFolder) user=postgres dbname=postgres "
        + "target_session_attrs=read-write")

    let error = refusal { try Connection(to: server) }

    #expect(
      error?.description
        == "cannot reach Postgres at \(dead.path):5432, \(standby.socketFolder):5432 "
        + "(database 'postgres'): \(dead.path):5432: No such file or directory; "
        + "\(standby.socketFolder):5432: session is read-only; "
        + "check that it runs and that the address is right")
  }

  @Test func `prefer-standby takes a primary when there is nothing else`() throws {
    let server = try Server("\(TestEnvironment.postgres) target_session_attrs=prefer-standby")

    let one = try Connection(to: server).value("SELECT 1", as: Int.self)

    #expect(one == 1)
  }

  @Test func `a name is resolved, and the server knows the program by its name`() throws {
    let live = try PrivateServer(tcp: true)
    var server = try Server(live.tcpURL(host: "localhost"))
    server.applicationName = "nightly"

    let name = try Connection(to: server).value(
      "SELECT current_setting('application_name')", as: String.self)

    #expect(name == "nightly")
  }

  @Test func `a frozen server is given up in time`() throws {
    let live = try PrivateServer()
    var server = try Server(live.url())
    server.connectTimeout = .milliseconds(300)
    live.pause()

    let (error, took) = timed { refusal { try Connection(to: server) } }

    guard case .cannotReach(_, "it did not answer in time", nil)? = error else {
      Issue.record("\(told(error))")
      return
    }
    #expect(took < .hang, "took \(took)")
  }
}
