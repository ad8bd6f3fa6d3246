import Testing

@testable import JobKit
@testable import Settings

@Suite struct ConnectionTextTests {
  @Test(arguments: [
    "postgresql:///worker", "postgres://worker@db/worker", "postgresql://a:5432,b:5433/worker",
    "postgresql://worker@db/worker?target_session_attrs=read-write&sslmode=verify-full",
    "host=/run/postgresql dbname=worker", "service = worker",
    "postgresql:///worker?passfile=/etc/worker/pgpass",
  ])
  func `an address without a password is taken as it is`(text: String) {
    #expect(ConnectionText(text).fault == nil)
  }

  @Test(arguments: [
    "postgresql://worker:secret@db/worker", "postgres://:secret@db", "postgresql://u:pa/ss@db/x",
    "postgresql://u:p@ss@db/x", "postgresql:///worker?password=secret",
    "postgresql:///worker?PASSWORD=secret", "postgresql:///worker?passwor%64=secret",
    "postgresql:///worker?sslpassword=secret", "host=db password=secret",
    "host=db password = 'secret'", "host=db password\t=\nsecret", "mysql://u:secret@db",
  ])
  func `a password is found however it is written`(text: String) {
    #expect(ConnectionText(text).fault == .holdsPassword)
  }

  @Test(arguments: ["", "worker", "/run/postgresql", "mysql://db/worker", "db:5432/worker", "a=\0"])
  func `what libpq would take for a name or not at all is no address`(text: String) {
    #expect(ConnectionText(text).fault == .unreadable)
  }

  @Test(arguments: [
    ("postgresql:///worker", "postgresql:///other"),
    ("postgresql://db", "postgresql://db/other"),
    ("postgresql://a:5432,b:5433/worker", "postgresql://a:5432,b:5433/other"),
    (
      "postgres://u@db/worker?sslmode=require&dbname=x&a=b",
      "postgres://u@db/other?sslmode=require&a=b"
    ),
    ("postgres://db?dbname=x", "postgres://db/other"),
    ("host=/run/postgresql dbname=worker", "host=/run/postgresql dbname=worker dbname=other"),
  ])
  func `another database of the same server has the same address but for its name`(
    text: String, other: String
  ) {
    #expect(ConnectionText(text).naming(database: "other") == other)
  }
}
