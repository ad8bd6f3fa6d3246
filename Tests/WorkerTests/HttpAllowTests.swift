internal import Glibc
internal import TestSupport
internal import Testing

/// Who is answered where other machines can reach the daemon.
@Suite("HTTP for other machines")
struct HttpAllowTests {
  @Test func `a caller from no network of 'allow' is closed, counted and logged once`() throws {
    let daemon = try MonitoredDaemon(http: "allow = [\"127.0.0.2/32\"]")
    func answer(to caller: UInt8) throws -> String {
      try HttpCall.send(HttpCall.request("/livez"), toPort: daemon.port, from: caller)
    }

    for _ in 1...3 { #expect(try answer(to: 3) == "") }
    #expect(try answer(to: 2).hasPrefix("HTTP/1.1 200 "))
    #expect(try answer(to: 1).hasPrefix("HTTP/1.1 200 "))

    #expect(try daemon.figure("worker_http_refused_total") == 3)
    let line = try daemon.rehearsal.awaitLine("level=warning", "closed a connection")
    #expect(
      line.contains(
        "msg=\"closed a connection from 127.0.0.3, which 'http.allow' does not name; for 10m others are"
          + " counted, and not logged\""))
    #expect(daemon.rehearsal.log.matches(of: #/closed a connection/#).count == 1)
  }

  @Test func `at all addresses, callers over IPv4 and IPv6 are told apart by the same networks`()
    throws
  {
    let daemon = try MonitoredDaemon(http: "allow = [\"127.0.0.2/32\"]", at: "[::]")

    let answers = try [2, 3].map { caller in
      try HttpCall.send(HttpCall.request("/readyz"), toPort: daemon.port, from: caller)
    }
    let health = try daemon.rehearsal.program("health", "--only", "ready", "--json")

    #expect(answers[0].hasPrefix("HTTP/1.1 200 ") && answers[1] == "")
    #expect(health.output.contains("\"asked\": \"[::]:\(daemon.port)\""), "\(health.errors)")
    #expect(health.exitCode == 0)
  }

  @Test func `where others may ask, a host is an IP address or localhost, and no other name`()
    throws
  {
    let daemon = try MonitoredDaemon(http: "allow = [\"10.0.0.0/8\"]", at: "0.0.0.0")
    func answer(to host: String) throws -> String {
      try HttpCall.send(
        "GET /metrics HTTP/1.1\r\nConnection: close\r\nHost: \(host)\r\n\r\n", toPort: daemon.port)
    }

    // So do a kubelet's probe and Prometheus's discovery of pods ask.
    for host in ["10.1.2.3:9464", "10.1.2.3", "[fd00::7]:9464", "[fd00::7]", "localhost:9464"] {
      #expect(try answer(to: host).hasPrefix("HTTP/1.1 200 "), "\(host)")
    }
    for host in [
      "worker.attacker.example", "10.1.2.3.attacker.example:9464", "10.1.2.3:80@attacker.example",
      "10.1.2", "0x0a.1.2.3", "fd00::7", "[fd00::7%eth0]", "",
    ] {
      let answer = try answer(to: host)
      #expect(answer.hasPrefix("HTTP/1.1 421 "), "\(host)")
      #expect(
        answer.hasSuffix("only a host that is an IP address or localhost is answered here\n"))
    }
  }

  @Test func `a probe that is closed by 'allow' of the daemon says so`() throws {
    let port = try FreePort.find()
    let rehearsal = try Rehearsal()
    let closing = try ChildProcess(
      "/usr/bin/python3",
      [
        "-c",
        "import socket\ns = socket.create_server(('127.0.0.1', \(port)))\nwhile True: s.accept()[0].close()",
      ])
    try eventually {
      (try? HttpCall.send(HttpCall.request("/livez"), toPort: port)) != nil
    }

    let health = try rehearsal.program(
      "health", "--only", "live", "--address", "0.0.0.0:\(port)")
    closing.send(SIGKILL)
    try closing.status()

    #expect(
      health.output
        == "live      no daemon answers at 0.0.0.0:\(port): it closes the connection: 'http.allow' of that"
        + " daemon has to name this machine's address\n")
    #expect(health.exitCode == 1)
  }
}
