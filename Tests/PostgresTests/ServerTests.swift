import Postgres
import TestSupport
import Testing

@Suite struct ServerTests {
  @Test(arguments: [
    ("postgresql://worker:s3cret@db1:6432/app", "Postgres at db1:6432 (database 'app')"),
    ("host=/run/pg dbname=app user=worker", "Postgres at /run/pg:5432 (database 'app')"),
    (
      "postgresql://worker@db1,db2:6432/app?target_session_attrs=read-write",
      "Postgres at db1:5432, db2:6432 (database 'app')"
    ),
    ("postgresql://[::1]:5433/app", "Postgres at [::1]:5433 (database 'app')"),
    ("host=a,b port=7 dbname=app", "Postgres at a:7, b:7 (database 'app')"),
    ("hostaddr=127.0.0.1 dbname=app", "Postgres at 127.0.0.1:5432 (database 'app')"),
    ("host=db1 user=worker", "Postgres at db1:5432 (database 'worker')"),
  ])
  func `a server is described by its addresses and its database`(
    url: String, description: String
  ) throws {
    #expect(try Server(url).description == description)
  }

  @Test(arguments: [
    (
      "postgresql://worker:s3cret@[::1/app",
      "cannot read the connection string: end of string reached when looking for matching \"…\""
    ),
    (
      "Sslmod=require password=s3cret",
      "cannot read the connection string: invalid connection option \"…\""
    ),
    (
      "password=my s3cret host=db",
      "cannot read the connection string: missing \"…\" in connection info string"
    ),
    (
      "postgresql://h/db?sslmode",
      "cannot read the connection string: missing key/value separator \"…\""
    ),
    (
      "host=a,b port=1,2,3",
      "the connection string has 2 hosts and 3 ports: write one port, or as many"
    ),
    ("host=a,b hostaddr=::1", "the connection string has 2 hosts and 1 addresses"),
    (
      "service=app", "the connection string names a service: write its host and database instead"
    ),
    ("host=a\0b", "the connection string holds the character U+0000"),
  ])
  func `a connection string that cannot be read is refused without quoting it`(
    url: String, message: String
  ) {
    let error = #expect(throws: PostgresError.self) { try Server(url) }

    #expect(error?.description == message)
  }

  @Test func `printing a server shows no password, however it is printed`() throws {
    let server = try Server("postgresql://worker:s3cret@db1/app?sslpassword=s3cret")

    var dumped = ""
    dump(server, to: &dumped)
    let printed = [dumped, "\(server)", String(reflecting: server), "\([server])"]

    #expect(!printed.joined().contains("s3cret"))
    #expect(dumped.contains("db1"))
  }
}
