import TestSupport
import Testing

/// What a request says of the server that it means, and of its own end.
@Suite("HTTP requests that are not to be trusted")
struct HttpHostTests {
  private static func request(_ path: String, _ headers: String) -> String {
    "GET \(path) HTTP/1.1\r\nConnection: close\r\n\(headers)\r\n"
  }

  /// The status of every answer, in order.
  private static func statuses(in answers: String) -> [String] {
    answers.split(separator: "HTTP/1.1 ").map { String($0.prefix(3)) }
  }

  @Test func `only loopback names are answered, two lengths are refused, and no escape is undone`()
    throws
  {
    let daemon = try MonitoredDaemon()
    func statuses(of path: String = "/livez", with headers: String) throws -> [String] {
      Self.statuses(
        in: try HttpCall.send(Self.request(path, headers), toPort: daemon.port))
    }

    for host in ["127.0.0.1", "[::1]:9464", "localhost", "LOCALHOST:\(daemon.port)"] {
      #expect(try statuses(with: "Host: \(host)\r\n") == ["200"], "\(host)")
    }
    for host in [
      "rebind.attacker.example", "127.0.0.1.attacker.example", "localhost.attacker.example:9464",
      "127.0.0.1:80@attacker.example", "10.0.0.1",
    ] {
      #expect(try statuses(of: "/metrics", with: "Host: \(host)\r\n") == ["421"], "\(host)")
    }
    let host = "Host: localhost\r\n"
    #expect(try statuses(with: "Host: localhost\r\nHost: attacker.example\r\n") == ["400"])
    for lengths in [
      "Content-Length: 0\r\nContent-Length: 45\r\n", "Content-Length: 45\r\ncontent-length: 45\r\n",
      "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n",
    ] {
      let second = Self.request("/metrics", host)
      let answers = try HttpCall.send(
        "GET /livez HTTP/1.1\r\n\(host)\(lengths)\r\n\(second)", toPort: daemon.port)
      #expect(Self.statuses(in: answers) == ["400"], "\(lengths)")
    }
    for path in ["/metrics%00", "/metrics%00/x", "/%6detrics", "/livez%2f"] {
      #expect(try statuses(of: path, with: host) == ["404"], "\(path)")
    }
  }
}
