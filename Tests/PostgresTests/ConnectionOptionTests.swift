import Postgres
import TestSupport
import Testing

@Suite("Options of a connection that can never work")
struct ConnectionOptionTests {
  @Test(arguments: [
    (
      "sslmode=s3cret",
      "the connection option 'sslmode' cannot be used: write disable, allow, prefer, require, verify-ca or verify-full"
    ),
    (
      "sslmode=REQUIRE",
      "the connection option 'sslmode' cannot be used: write disable, allow, prefer, require, verify-ca or verify-full"
    ),
    (
      "target_session_attrs=s3cret",
      "the connection option 'target_session_attrs' cannot be used: write any, read-write, read-only, primary, standby or"
        + " prefer-standby"
    ),
    (
      "channel_binding=s3cret",
      "the connection option 'channel_binding' cannot be used: write disable, prefer or require"
    ),
    (
      "gssencmode=s3cret",
      "the connection option 'gssencmode' cannot be used: write disable, prefer or require"
    ),
    (
      "keepalives=s3cret", "the connection option 'keepalives' cannot be used: write a whole number"
    ),
    (
      "keepalives_idle=1.5",
      "the connection option 'keepalives_idle' cannot be used: write a whole number"
    ),
    (
      "keepalives_interval=x",
      "the connection option 'keepalives_interval' cannot be used: write a whole number"
    ),
    (
      "keepalives_count=99999999999",
      "the connection option 'keepalives_count' cannot be used: write a whole number"
    ),
    (
      "tcp_user_timeout=1s",
      "the connection option 'tcp_user_timeout' cannot be used: write a whole number"
    ),
    (
      "connect_timeout=s3cret",
      "the connection option 'connect_timeout' cannot be used: write a whole number"
    ),
    (
      "ssl_min_protocol_version=TLSv9",
      "the connection option 'ssl_min_protocol_version' cannot be used: write TLSv1, TLSv1.1, TLSv1.2 or TLSv1.3"
    ),
    (
      "ssl_min_protocol_version=TLSv1.3 ssl_max_protocol_version=tlsv1.2",
      "the connection option 'ssl_min_protocol_version' is above 'ssl_max_protocol_version'"
    ),
    ("port=s3cret", "the connection option 'port' cannot be used: write a number from 1 to 65535"),
    ("port=65536", "the connection option 'port' cannot be used: write a number from 1 to 65535"),
    (
      "hostaddr=s3cret",
      "the connection option 'hostaddr' cannot be used: write numeric addresses, or names in 'host'"
    ),
    (
      "replication=true",
      "the connection option 'replication' cannot be used: write false, off, no or 0"
    ),
    (
      "host=/\(String(repeating: "x", count: 95))",
      "the connection option 'host' cannot be used: the path of its socket is longer than 107 bytes"
    ),
    (
      "sslmode=a keepalives=b",
      "the connection option 'keepalives' cannot be used: write a whole number; the connection option 'sslmode' cannot be used: write disable,"
        + " allow, prefer, require, verify-ca or verify-full"
    ),
  ])
  func `are found before anybody is asked, and told without their values`(
    options: String, reason: String
  ) {
    let text = options.contains("host") ? options : "host=db \(options)"

    let error = refusal { try Server(text) }

    #expect(error == .unusable(reason))
  }

  @Test func `an option that this libpq does not know is told by its name`() throws {
    let version = try #require(Libpq.version)

    for text in ["host=db pasword=s3cret", "postgresql://db/app?pasword=s3cret"] {
      #expect(
        refusal { try Server(text) }?.description
          == "cannot read the connection string: libpq \(version) knows no option 'pasword'")
    }
  }

  @Test(arguments: [
    "sslmode=verify-full", "ssl_min_protocol_version=tlsv1.2", "connect_timeout=-1",
    "keepalives=0", "hostaddr=::1", "hostaddr=10.0.0.1,10.0.0.2", "port=1,2 host=a,b",
    "target_session_attrs=prefer-standby", "replication=off", "gssencmode=disable",
  ])
  func `what libpq takes is taken`(options: String) {
    #expect(
      refusal { try Server(options.contains("host") ? options : "host=db \(options)") } == nil)
  }

  @Test func `whether a password stands in it is for libpq to say`() throws {
    #expect(try Server("postgresql://u:s3?x@db/app").holdsPassword)
    #expect(try !Server("postgresql://u@db:5432/app").holdsPassword)
  }

  @Test func `a session that may only read says whether a setting makes it so`() throws {
    let database = try TestDatabase()
    try database.connectToServer().run(
      "ALTER DATABASE \(identifier: database.name) SET default_transaction_read_only = on")

    let connection = try database.connectToServer()
    let error = refusal { try connection.run("CREATE TABLE t ()") }

    #expect(error?.report?.readOnly == .setting)
    #expect(
      refusal { try connection.requireWritable() }?.description
        == "the role may only read here (SQLSTATE 25006): default_transaction_read_only is on")
  }
}
