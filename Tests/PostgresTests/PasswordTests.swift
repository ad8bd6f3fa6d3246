import Postgres
import TestSupport
import Testing

/// A server that asks the role `guarded` for its password.
private struct Guarded {
  let server: PrivateServer
  let password: String

  init(password: String = "m4rker-of-a-password") throws {
    self.password = password
    server = try PrivateServer(access: ["local all guarded scram-sha-256"])
    try server.connect().run(script: "CREATE ROLE guarded LOGIN PASSWORD '\(password)'")
  }

  func open(
    with source: PasswordSource, _ more: String = ""
  ) throws -> String {
    var server = try Server("\(self.server.url(user: "guarded")) \(more)")
    server.password = source
    return try Connection(to: server).value("SELECT current_user::text", as: String.self)
  }
}

@Suite struct PasswordTests {
  @Test func `a password comes from the string, a file, a credential or libpq's own file`() throws {
    let guarded = try Guarded()
    let folder = try ScratchFolder()
    let file = try folder.write("\(guarded.password)\n", to: "password")
    let passfile = try folder.write("*:*:*:guarded:\(guarded.password)\n", to: "pgpass")

    let users = try [
      guarded.open(with: .libpq, "password=\(guarded.password)"),
      guarded.open(with: .libpq, "passfile=\(passfile)"),
      guarded.open(with: .file(file)),
      guarded.open(with: .credential("password", directory: folder.path)),
      guarded.open(with: .file(file), "password=wrong"),
      guarded.open(
        with: .credential("not_there", directory: folder.path), "passfile=\(passfile)"),
    ]

    #expect(users == Array(repeating: "guarded", count: 6))
  }

  @Test func `a wrong password is refused`() throws {
    let guarded = try Guarded()

    let error = refusal { try guarded.open(with: .libpq, "password=wrong") }

    #expect(
      error?.description
        == "Postgres at \(guarded.server.socketFolder):5432 (database 'postgres') refuses the "
        + "connection: password authentication failed for user \"guarded\" (SQLSTATE 28P01); "
        + "check user, password, database and TLS settings")
  }

  @Test func `no password is refused`() throws {
    let guarded = try Guarded()
    let folder = try ScratchFolder()
    let none = try folder.write("", to: "pgpass")

    let error = refusal { try guarded.open(with: .libpq, "passfile=\(none)") }

    #expect(
      error?.description
        == "Postgres at \(guarded.server.socketFolder):5432 (database 'postgres') refuses the "
        + "connection: fe_sendauth: no password supplied; "
        + "check user, password, database and TLS settings")
  }

  @Test func `an unknown database and an unknown role are refused`() throws {
    let server = try PrivateServer()

    let database = refusal { try Connection(to: Server(server.url(database: "nowhere"))) }
    let role = refusal { try Connection(to: Server(server.url(user: "nobody"))) }

    #expect(
      database?.description
        == "Postgres at \(server.socketFolder):5432 (database 'nowhere') refuses the connection: "
        + "database \"nowhere\" does not exist (SQLSTATE 3D000); "
        + "create it with 'createdb nowhere', or name another one in 'database.url'")
    #expect(
      role?.description
        == "Postgres at \(server.socketFolder):5432 (database 'postgres') refuses the connection: "
        + "role \"nobody\" does not exist (SQLSTATE 28000); "
        + "check user, password, database and TLS settings")
  }

  @Test func `a password file that cannot be used says why`() throws {
    let folder = try ScratchFolder()
    let empty = try folder.write("\n", to: "empty")
    let binary = try folder.write("a\0b", to: "binary")
    let sources: [PasswordSource] = [
      .file("\(folder.path)/none"), .file(empty), .file(binary),
      .credential("db", directory: nil), .credential("../db", directory: folder.path),
      .file(folder.path),
    ]

    let messages = try sources.map { source in
      let server = try shared { $0.password = source }
      return refusal { try Connection(to: server) }?.description
    }

    #expect(
      messages == [
        "cannot read the password file '\(folder.path)/none': No such file or directory",
        "the password file '\(empty)' has no first line",
        "the password file '\(binary)' holds no password: write one line of text into it",
        "cannot read the credential 'db': $CREDENTIALS_DIRECTORY is not set; "
          + "write LoadCredential=db:… into the unit, or give a file",
        "'../db' is no name of a credential: write it without a folder",
        "cannot read the password file '\(folder.path)': Is a directory",
      ])
  }

  @Test func `a password is in no error, wherever it came from`() throws {
    let guarded = try Guarded()
    let folder = try ScratchFolder()
    let marker = "pl4nted"
    let file = try folder.write(marker, to: "password")

    let errors = [
      refusal { try guarded.open(with: .libpq, "password=\(marker)") },
      refusal { try guarded.open(with: .file(file)) },
      refusal { try Server("postgresql://u:\(marker)@[::1/db") },
      refusal { try Server("password='\(marker) x") },
      refusal { try Server("host=x password=\\\(marker) \(marker)=\(marker) \(marker)") },
      refusal { try Connection(to: Server("host=/nowhere password=\(marker)")) },
    ]

    let printed = errors.map { "\($0, default: "none") \(String(reflecting: $0))" }
    #expect(errors.allSatisfy { $0 != nil })
    #expect(!printed.joined().contains(marker), "\(printed)")
  }

  @Test func `what the server says of a statement is told without the password`() throws {
    let guarded = try Guarded()
    var server = try Server("\(guarded.server.url(user: "guarded"))")
    let folder = try ScratchFolder()
    server.password = .file(try folder.write(guarded.password, to: "password"))
    let connection = try Connection(to: server)

    let error = refusal {
      try connection.run("ALTER ROLE nobody PASSWORD '\(verbatim: guarded.password)'")
    }

    #expect(
      error?.description
        == "role \"nobody\" does not exist (SQLSTATE 42704), in"
        + " 'ALTER ROLE nobody PASSWORD '…''")
  }
}
