import Postgres
import TestSupport
import Testing

/// A server that lets in over TLS only, with a certificate for `localhost`.
private struct Encrypted {
  let folder: ScratchFolder
  let identity: Certificate
  let server: PrivateServer

  init() throws {
    folder = try ScratchFolder()
    identity = try Certificate(for: "localhost", in: folder)
    server = try PrivateServer(
      tcp: true, identity: identity,
      access: ["hostssl all all 127.0.0.1/32 trust", "hostnossl all all 127.0.0.1/32 reject"])
  }

  func url(host: String = "localhost", authority: String? = nil) -> String {
    "\(server.tcpURL(host: host)) hostaddr=127.0.0.1 sslmode=verify-full "
      + "sslrootcert=\(authority ?? identity.authority)"
  }

  func refusalText(_ url: String) -> String? {
    refusal { try Connection(to: Server(url)) }?.description
  }
}

@Suite struct TLSTests {
  @Test func `verify-full lets in with the right name`() throws {
    let encrypted = try Encrypted()

    let isEncrypted = try Connection(to: Server(encrypted.url())).value(
      "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()", as: Bool.self)

    #expect(isEncrypted)
  }

  @Test func `a wrong name, a wrong authority and no TLS are refused`() throws {
    let encrypted = try Encrypted()
    let other = try Certificate(for: "other", in: ScratchFolder())
    let port = encrypted.server.port
    let advice = "check user, password, database and TLS settings"

    let wrongName = encrypted.refusalText(encrypted.url(host: "db.example"))
    let wrongAuthority = encrypted.refusalText(encrypted.url(authority: other.authority))
    let plain = encrypted.refusalText("\(encrypted.server.tcpURL()) sslmode=disable")

    #expect(
      wrongName
        == "Postgres at db.example:\(port) (database 'postgres') refuses the connection: "
        + "server certificate for \"localhost\" does not match host name \"db.example\"; \(advice)")
    #expect(
      wrongAuthority
        == "Postgres at localhost:\(port) (database 'postgres') refuses the connection: "
        + "SSL error: certificate verify failed; \(advice)")
    #expect(
      plain
        == "Postgres at 127.0.0.1:\(port) (database 'postgres') refuses the connection: "
        + "pg_hba.conf rejects connection for host \"127.0.0.1\", user \"postgres\", "
        + "database \"postgres\", no encryption (SQLSTATE 28000); \(advice)")
  }

  @Test func `a server without TLS is refused when TLS is required`() throws {
    let server = try PrivateServer(tcp: true)

    let error = refusal { try Connection(to: Server("\(server.tcpURL()) sslmode=require")) }

    #expect(
      error?.description
        == "Postgres at 127.0.0.1:\(server.port) (database 'postgres') refuses the connection: "
        + "server does not support SSL, but SSL was required; "
        + "check user, password, database and TLS settings")
  }

  @Test func `deadlines and long results work over TLS`() throws {
    let encrypted = try Encrypted()
    let connection = try Connection(to: Server(encrypted.url()))

    let error = refusal { try connection.run("SELECT pg_sleep(60)", within: .milliseconds(200)) }
    let size = try connection.value("SELECT repeat('x', 5000000)", as: String.self).utf8.count

    #expect(
      error?.description
        == "the statement took longer than 200 ms and was cancelled: 'SELECT pg_sleep(60)'")
    #expect(size == 5_000_000)
  }
}
