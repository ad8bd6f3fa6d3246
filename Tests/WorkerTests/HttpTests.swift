internal import Glibc
internal import JobKit
internal import Postgres
import Runner
internal import TestSupport
internal import Testing

/// What a daemon says over HTTP, as a probe and Prometheus hear it.
@Suite("HTTP")
struct HttpTests {
  @Test func `the four paths answer GET and HEAD; all else is refused`() throws {
    let daemon = try MonitoredDaemon()

    for path in ["/livez", "/readyz", "/health/schedule", "/metrics"] {
      #expect(try daemon.status(path) == 200, "\(path)")
      #expect(try daemon.status(path, by: "HEAD") == 200, "\(path)")
      for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"] {
        #expect(try daemon.status(path, by: method) == 405, "\(method) \(path)")
      }
    }
    for path in ["/", "/metrics/", "/livez/..", "//metrics", "/health", "*"] {
      #expect(try daemon.status(path) == 404, "\(path)")
    }
    let refused = try daemon.answer("/metrics", by: "POST", "Content-Length: 5\r\n")
    #expect(refused.contains("\r\nAllow: GET, HEAD\r\n"))
    #expect(refused.hasSuffix("only GET and HEAD are answered here\n"))
    #expect(try !daemon.answer("/metrics", by: "HEAD").contains("worker_"))
  }

  @Test func `health is JSON, or text for those who ask for that`() throws {
    let daemon = try MonitoredDaemon()

    let json = try daemon.answer("/readyz")
    let text = try daemon.body("/readyz", "Accept: text/plain\r\n")

    #expect(json.contains("\r\nContent-Type: application/json\r\n"))
    #expect(json.contains("{\"healthy\":true,\"as_of\":\"20"))
    #expect(json.hasSuffix("\"problems\":[]}\n"))
    #expect(text == "ok\n")
  }

  @Test func `the metrics are those of the code, all of them, and promtool accepts them`() throws {
    let daemon = try MonitoredDaemon()
    try daemon.rehearsal.wait(
      for: 2, of: "SELECT count(*) FROM jobkit.run WHERE state = 'succeeded'")
    // What the ledger knows is read at the start: the success of the daemon before.
    try daemon.restart()
    try daemon.rehearsal.wait(
      for: 4, of: "SELECT count(*) FROM jobkit.run WHERE state = 'succeeded'")
    try eventually {
      try daemon.figure(#"worker_items_total{job="rehearse",counter="chunks"}"#) != nil
    }

    let text = try daemon.body("/metrics")
    let check = try Self.promtool("check metrics", reading: text)

    let shown = text.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }
      .compactMap { $0.split(separator: " ").dropFirst(2).first.map(String.init) }
    // Where pushes go to the log there is no provider to tell of.
    let ofPushes = Metric.ofPushes.map(\.name)
    #expect(shown == Metric.all.map(\.name).filter { !ofPushes.contains($0) })
    #expect(check.errors == "" && check.output == "")
    #expect(check.exitCode == 0)
  }

  @Test func `what runs is counted, and what succeeded last survives a restart`() throws {
    let daemon = try MonitoredDaemon()
    let succeeded = #"worker_parts_ended_total{job="rehearse",outcome="succeeded"}"#
    try eventually { try daemon.figure(succeeded) ?? 0 >= 2 }

    #expect(try daemon.figure(#"worker_ticks_decided_total{job="rehearse",fate="due"}"#) ?? 0 >= 1)
    #expect(try daemon.figure(#"worker_part_duration_seconds_count{job="rehearse"}"#) ?? 0 >= 2)
    #expect(try daemon.figure(#"worker_part_start_delay_seconds_count{job="rehearse"}"#) ?? 0 >= 2)
    #expect(try daemon.figure("worker_database_connected") == 1)
    let moment = try daemon.figure("worker_last_maintenance_timestamp_seconds") ?? 0

    try daemon.rehearsal.run(
      "UPDATE jobkit.job SET paused_at = now(), paused_by = 'test', pause_reason = 'the end'")
    try daemon.restart()

    let success = try daemon.figure(#"worker_last_success_timestamp_seconds{job="rehearse"}"#)
    #expect(abs((success ?? 0) - moment) < 60)
    #expect(try daemon.figure(#"worker_job_paused_seconds{job="rehearse"}"#) ?? 0 > 0)
  }

  @Test func `a unix socket answers too, gives way at the end, and one that was left is taken`()
    throws
  {
    let rehearsal = try Rehearsal()
    let folder = try ScratchFolder()
    let path = "\(folder.path)/http.sock"
    try rehearsal.set("[http]\nlisten = \"unix:\(path)\"")
    let killed = try rehearsal.daemon()
    try eventually { (try? Self.isAlive(at: path)) == true }
    killed.send(SIGKILL)
    try killed.status()
    #expect(unsafe access(path, F_OK) == 0)

    let daemon = try rehearsal.daemon()
    try eventually { (try? Self.isAlive(at: path)) == true }
    daemon.send(SIGTERM)
    let status = try daemon.status()

    #expect(status == 0)
    #expect(unsafe access(path, F_OK) != 0)
  }

  private static func isAlive(at path: String) throws -> Bool {
    try HttpCall.send(HttpCall.request("/livez"), toSocket: path).hasPrefix("HTTP/1.1 200 ")
  }

  @Test func `a daemon whose address is taken works, says so, and answers once it is free`() throws
  {
    let first = try MonitoredDaemon()

    let second = try first.rehearsal.daemon()
    let line = try first.rehearsal.awaitLine("level=warning", "cannot answer over HTTP")
    first.process.send(SIGTERM)
    try first.process.status()
    try eventually { (try? first.status("/readyz")) == 200 }
    second.send(SIGTERM)
    let status = try second.status()

    #expect(
      line.contains(
        "msg=\"cannot answer over HTTP at 127.0.0.1:\(first.port): address already in use; tried again"
          + " each 5s\""))
    #expect(status == 0)
  }

  @Test func `a file that is no socket and was named as one by mistake stays`() throws {
    let rehearsal = try Rehearsal()
    let folder = try ScratchFolder()
    let path = try folder.write("pushes\n", to: "pushes.log", mode: 0o644)
    try rehearsal.set("[http]\nlisten = \"unix:\(path)\"")

    let daemon = try rehearsal.daemon()
    _ = try rehearsal.awaitLine("cannot answer over HTTP", "address already in use")
    daemon.send(SIGTERM)
    try daemon.status()

    #expect(try TextFile.read(path) == "pushes\n")
  }

  @Test func `without its database a daemon is alive and not ready`() throws {
    let server = try PrivateServer()
    let rehearsal = try Rehearsal(on: server)
    let port = try FreePort.find()
    try rehearsal.set("[http]\nlisten = \"127.0.0.1:\(port)\"")
    try server.stop()
    let daemon = try rehearsal.daemon()
    _ = try rehearsal.awaitLine("level=error", "cannot reach Postgres")
    // Its thread comes after all others, and on a busy machine after that line too.
    _ = try rehearsal.awaitLine("answers over HTTP")

    let answers = try ["/livez", "/readyz"].map {
      try HttpCall.send(HttpCall.request($0, by: "GET", "Accept: text/plain\r\n"), toPort: port)
    }
    daemon.send(SIGTERM)

    #expect(answers[0].hasPrefix("HTTP/1.1 200 ") && answers[0].hasSuffix("\r\n\r\nok\n"))
    #expect(answers[1].hasPrefix("HTTP/1.1 503 "))
    #expect(answers[1].hasSuffix("no decision pass is complete yet\n"))
  }

  /// Runs promtool on a text.
  static func promtool(_ words: String, reading text: String) throws -> Program {
    let folder = try ScratchFolder()
    try folder.write(text, to: "text", mode: 0o644)
    return try Program(
      shell: "promtool \(words) <'\(folder.path)/text'", variables: ["PATH": "/usr/bin:/bin"])
  }
}
