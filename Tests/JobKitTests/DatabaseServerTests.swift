import JobKit
import Postgres
import Settings
import Testing

@Suite("The server that the settings name")
struct DatabaseServerTests {
  @Test func `it has every limit of the settings`() throws {
    var settings = DatabaseSettings()
    settings.connectTimeout = .seconds(2)
    settings.statementTimeout = .seconds(3)
    settings.lockTimeout = .seconds(4)
    settings.tcpUserTimeout = .seconds(5)
    settings.keepaliveIdle = .seconds(6)
    settings.keepaliveInterval = .seconds(7)
    settings.keepaliveCount = 8

    let server = try settings.server(credentials: nil)

    #expect(server.connectTimeout == .seconds(2))
    #expect(server.statementLimit == .seconds(3))
    #expect(server.lockLimit == .seconds(4))
    #expect(server.tcpUserTimeout == .seconds(5))
    #expect(server.keepaliveIdle == .seconds(6))
    #expect(server.keepaliveInterval == .seconds(7))
    #expect(server.keepaliveCount == 8)
  }
}
