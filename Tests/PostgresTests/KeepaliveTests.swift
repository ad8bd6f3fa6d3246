import Testing

@testable import Postgres

@Suite struct KeepaliveTests {
  @Test func `libpq is told how a silent server is asked whether it is there`() throws {
    var server = try Server("host=db")
    server.keepaliveIdle = .seconds(50)
    server.keepaliveInterval = .seconds(6)
    server.keepaliveCount = 7

    let options = try Opening(of: server, notices: NoticeSink { _ in })
      .options(for: Host(name: "db", address: "", port: "5432"))

    #expect(options["keepalives_idle"] == "50")
    #expect(options["keepalives_interval"] == "6")
    #expect(options["keepalives_count"] == "7")
  }
}
