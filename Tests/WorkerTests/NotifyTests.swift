import Glibc
import JobKit
import Postgres
import TestSupport
import Testing

/// Real daemons that tell people, by a program and over the web.
@Suite("Telling people")
struct NotifyTests {
  /// A rehearsal whose job fails at once, for good, when `fails`; with these settings of messages.
  private static func rehearsal(_ notify: String, fails: Bool = true) throws -> Rehearsal {
    let rehearsal = try Rehearsal()
    try rehearsal.set(
      "[notify]\non = [\"failed\"]\nagain_after = \"1d\"\n\(notify)\n[jobs.rehearse]\ntries = 1")
    if fails {
      try rehearsal.run("ALTER TABLE rehearsal ADD CHECK (chunk < 0) NOT VALID")
    }
    return rehearsal
  }

  private static let told: Statement =
    "SELECT count(*) FROM jobkit.message WHERE state = 'told' AND event = 'failed'"

  @Test func `a program is run with the message on its input and in its variables`() async throws {
    let (message, log) = try await onOwnThread {
      let folder = try ScratchFolder()
      let script = try folder.write(
        """
        #!/bin/sh
        { echo "$1 $WORKER_EVENT $WORKER_JOB $WORKER_TITLE $PGPASSWORD"; cat; } >\(folder.path)/told
        echo 'said to the log'
        """, to: "tell", mode: 0o755)
      let rehearsal = try Self.rehearsal("command = [\"\(script)\", \"an argument\"]")
      let daemon = try rehearsal.daemon()
      try rehearsal.wait(for: 1, of: Self.told)
      daemon.send(SIGTERM)
      try daemon.status()
      return (try TextFile.read("\(folder.path)/told"), rehearsal.log)
    }

    let lines = message.split(separator: "\n")
    #expect(lines.first?.hasPrefix("an argument failed rehearse rehearse failed") == true)
    #expect(lines.last?.hasPrefix("{\"id\":1,\"event\":\"failed\",\"job\":\"rehearse\"") == true)
    #expect(log.contains("tell says: said to the log") && log.contains("told: command"))
  }

  @Test func `a URL is posted to, and stands nowhere in full`() async throws {
    let (requests, log, shown) = try await onOwnThread {
      let receiver = try WebReceiver()
      let rehearsal = try Self.rehearsal(
        "webhook = \"http://127.0.0.1:\(receiver.port)/the-secret\"")
      let daemon = try rehearsal.daemon()
      try rehearsal.wait(for: 1, of: Self.told)
      daemon.send(SIGHUP)
      _ = try rehearsal.awaitLine("settings: nothing has changed")
      daemon.send(SIGTERM)
      try daemon.status()
      let messages = try rehearsal.output(of: "notify")
      let rows = try rehearsal.number(
        "SELECT count(*) FROM jobkit.message WHERE message::text LIKE '%the-secret%'")
      return (receiver.requests, rehearsal.log, messages + "\(rows) rows")
    }

    #expect(requests.count == 1)
    #expect(requests[0].hasPrefix("{\"method\": \"POST\", \"path\": \"/the-secret\""))
    #expect(requests[0].contains("rehearse failed"))
    #expect(!log.contains("the-secret") && shown.contains("0 rows"))
  }

  @Test func `two daemons tell of a failure once`() async throws {
    let requests = try await onOwnThread {
      let receiver = try WebReceiver()
      let rehearsal = try Self.rehearsal("webhook = \"http://127.0.0.1:\(receiver.port)/\"")
      let daemons = try [rehearsal.daemon(), rehearsal.daemon()]
      try rehearsal.wait(for: 1, of: Self.told)
      try rehearsal.wait(
        for: 6, of: "SELECT count(*) FROM jobkit.run WHERE state = 'failed'")
      for daemon in daemons { daemon.send(SIGTERM) }
      for daemon in daemons { try daemon.status() }
      return receiver.requests
    }

    #expect(requests.count == 1)
  }

  @Test(arguments: [500, 404, 302])
  func `a receiver that refuses is tried again until it takes the message`(
    status: Int
  ) async throws {
    let (requests, log) = try await onOwnThread {
      let receiver = try WebReceiver()
      try receiver.answer(status)
      let rehearsal = try Self.rehearsal("webhook = \"http://127.0.0.1:\(receiver.port)/\"")
      let daemon = try rehearsal.daemon()
      _ = try rehearsal.awaitLine("not told", "tried again in 5s")
      try receiver.answer(204)
      try rehearsal.run("UPDATE jobkit.message SET not_before = 'epoch' WHERE state = 'due'")
      try rehearsal.wait(for: 1, of: Self.told)
      daemon.send(SIGTERM)
      try daemon.status()
      return (receiver.requests, rehearsal.log)
    }

    #expect(requests.count == 2 && !requests.contains { $0.contains("elsewhere") })
    #expect(log.contains("127.0.0.1:") && log.contains("answers \(status)"))
  }

  @Test func `what one way has taken is tried again on the other alone`() async throws {
    let told = try await onOwnThread {
      let (receiver, folder) = (try WebReceiver(), try ScratchFolder())
      try receiver.answer(500)
      let script = try folder.write(
        "#!/bin/sh\necho \"$WORKER_MESSAGE\" >>\(folder.path)/told\n", to: "tell", mode: 0o755)
      let rehearsal = try Self.rehearsal(
        "command = [\"\(script)\"]\nwebhook = \"http://127.0.0.1:\(receiver.port)/\"")
      let daemon = try rehearsal.daemon()
      _ = try rehearsal.awaitLine("not told")
      try receiver.answer(200)
      try rehearsal.run("UPDATE jobkit.message SET not_before = 'epoch' WHERE state = 'due'")
      try rehearsal.wait(for: 1, of: Self.told)
      daemon.send(SIGTERM)
      try daemon.status()
      return try TextFile.read("\(folder.path)/told")
    }

    #expect(told == "1\n")
  }

  @Test func `a receiver that hangs delays no tick, and not the end of the daemon`() async throws {
    let (took, status, losses) = try await onOwnThread {
      let silent = try SilentServer()
      let rehearsal = try Self.rehearsal(
        """
        command = ["/bin/sleep", "600"]
        webhook = "http://127.0.0.1:\(silent.port)/"
        ping = "http://127.0.0.1:\(silent.port)/"
        limit = "1m"
        """)
      let daemon = try rehearsal.daemon()
      try rehearsal.wait(
        for: 1, of: "SELECT count(*) FROM jobkit.message WHERE state = 'sending'")
      try rehearsal.run("CREATE TABLE since AS SELECT clock_timestamp() AS moment")
      try rehearsal.wait(
        for: 5, of: "SELECT count(*) FROM jobkit.run, since WHERE finished_at > moment")
      let late = try rehearsal.number(
        """
        SELECT count(*) FROM jobkit.run, since
        WHERE scheduled_for > moment AND started_at > scheduled_for + interval '50 seconds'
        """)
      let start = ContinuousClock.now
      daemon.send(SIGTERM)
      let status = try daemon.status()
      return (ContinuousClock.now - start, status, late)
    }

    #expect(status == 0 && losses == 0)
    // Who waits for a receiver waits for its minute.
    #expect(took < .seconds(50))
  }

  @Test func `a program that hangs is ended with all that it has started`() async throws {
    let (log, isAlive) = try await onOwnThread {
      let folder = try ScratchFolder()
      let script = try folder.write(
        "#!/bin/sh\nsleep 654 & echo $! >\(folder.path)/child\nwait\n", to: "tell", mode: 0o755)
      let rehearsal = try Self.rehearsal("command = [\"\(script)\"]\nlimit = \"1s\"")
      let daemon = try rehearsal.daemon()
      _ = try rehearsal.awaitLine("not told", "it took too long and was ended")
      let child = try TextFile.read("\(folder.path)/child").split(separator: "\n")
      daemon.send(SIGTERM)
      try daemon.status()
      let id = try #require(child.first.flatMap { Int32($0) })
      try? eventually { kill(id, 0) != 0 }
      return (rehearsal.log, kill(id, 0) == 0)
    }

    #expect(log.contains("tried again in 5s") && !isAlive)
  }

  @Test(arguments: ["yes", "yes & sleep 0.1"])
  func `a program that never stops writing is ended`(script: String) async throws {
    let log = try await onOwnThread {
      let folder = try ScratchFolder()
      let script = try folder.write("#!/bin/sh\n\(script)\nwait\n", to: "tell", mode: 0o755)
      let rehearsal = try Self.rehearsal("command = [\"\(script)\"]\nlimit = \"1s\"")
      let daemon = try rehearsal.daemon()
      _ = try rehearsal.awaitLine("not told", "it took too long and was ended")
      daemon.send(SIGTERM)
      try daemon.status()
      return rehearsal.log
    }

    #expect(log.contains("tried again in 5s"))
  }

  @Test func `a program may write more at once than a pipe holds`() async throws {
    let count = try await onOwnThread {
      let folder = try ScratchFolder()
      let script = try folder.write(
        "#!/bin/sh\nexec head -c 300000 /dev/zero\n", to: "tell", mode: 0o755)
      let rehearsal = try Self.rehearsal("command = [\"\(script)\"]")
      let daemon = try rehearsal.daemon()
      try rehearsal.wait(for: 1, of: Self.told)
      daemon.send(SIGTERM)
      try daemon.status()
      return try rehearsal.number("SELECT max(tries) FROM jobkit.message")
    }

    #expect(count == 1)
  }

  @Test func `as long as all is well somebody is called`() async throws {
    let requests = try await onOwnThread {
      let receiver = try WebReceiver()
      let folder = try ScratchFolder()
      let file = try folder.write("http://127.0.0.1:\(receiver.port)/the-secret\n", to: "ping")
      let rehearsal = try Self.rehearsal("ping_file = \"\(file)\"", fails: false)
      let daemon = try rehearsal.daemon()
      try eventually { !receiver.requests.isEmpty }
      daemon.send(SIGTERM)
      try daemon.status()
      return receiver.requests
    }

    #expect(requests.first == "{\"method\": \"GET\", \"path\": \"/the-secret\", \"body\": \"\"}")
  }
}
