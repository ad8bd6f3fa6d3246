import Postgres
import TestSupport
import Testing

@testable import WorkerProgram

/// Test pushes to servers of this host, with no daemon anywhere.
@Suite("worker push test")
struct PushTestTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func worker(
    _ words: [String], settings: String, variables: [String: String] = [:]
  ) throws -> Program {
    let file = try folder.write(settings, to: "worker.toml", mode: 0o644)
    let own = ["WORKER_CONFIG": file, "TZDIR": try TestEnvironment.zoneinfo]
    return try Program(
      words: ["push", "test"] + words, variables: own.merging(variables) { $1 })
  }

  @Test func `to Apple shows what went over the wire, and neither device nor token`() throws {
    let scene = try PushScene()

    let program = try worker(["--device", "a1b2c3d4"], settings: scene.settings)

    #expect(program.exitCode == 0, "\(program.errors)")
    let lines = program.output.split(separator: "\n", omittingEmptySubsequences: false)
    let digest = "7dcf407fa84a"
    #expect(
      lines.prefix(4) == [
        "device   \(digest), at the sandbox of apns", "server   localhost:\(scene.port)", "",
        "> POST /3/device/«\(digest)»",
      ])
    for line in ["> apns-topic: org.example.learning", "> apns-collapse-id: test"] {
      #expect(lines.contains(line[...]), "\(line)")
    }
    #expect(lines.contains("> authorization: bearer …"))
    #expect(program.output.contains(#"> {"aps":{"alert":{"title":"A test","#))
    #expect(program.output.contains(/\n< 200 after \d+ ms\n< apns-id: [0-9a-f-]{36}\n/))
    #expect(program.output.contains(/\noutcome  sent, and named [0-9a-f-]{36}\n/))
    #expect(lines.suffix(2) == ["worker   the push is sent", ""])
    #expect(!program.output.contains("a1b2c3d4"))
    let seen = try scene.seen()
    #expect(seen.contains(#""broken": []"#))
    for secret in try scene.secrets { #expect(!program.output.contains(secret)) }
  }

  @Test func `to Google only validates, unless it is to be delivered`() throws {
    let scene = try PushScene()
    let words = ["--device", "m4rker:APA91b", "--json"]

    let validated = try worker(words, settings: scene.settings)
    let delivered = try worker(words + ["--deliver"], settings: scene.settings)

    #expect(validated.output.contains(#""validated_only": true"#))
    #expect(validated.output.contains(#"\"validate_only\":true"#))
    #expect(validated.output.contains(#""path": "/v1/projects/learning-app/messages:send""#))
    #expect(delivered.output.contains(#""validated_only": false"#))
    #expect(!delivered.output.contains("validate_only\\\""))
    for program in [validated, delivered] {
      #expect(program.output.contains(#""ok": true"#) && program.exitCode == 0)
      for secret in try scene.secrets { #expect(!program.output.contains(secret)) }
    }
    #expect(try scene.seen().contains("bearer \(PushScene.accessToken)"))
  }

  @Test func `to a webhook is refused until it is to be delivered`() throws {
    let scene = try PushScene()
    let url = scene.webhook("/410")

    let refused = try worker(["--device", url], settings: scene.settings)
    let delivered = try worker(["--device", url, "--deliver"], settings: scene.settings)

    #expect(
      refused.errors.contains(
        /^worker: webhook cannot only validate a push: it would appear on the device [0-9a-f]{12}: write --deliver to send it all the same\n$/
      ))
    #expect(refused.exitCode == 75)
    #expect(delivered.output.contains("> webhook-signature: v1,…\n"))
    #expect(delivered.output.contains(/\n< 410 after \d+ ms\n/))
    #expect(
      delivered.output.contains(
        "\nworker   the device is invalidated with this reason, and the learner's next device is tried\n"
      ))
    #expect(!delivered.output.contains(url) && delivered.exitCode == 1)
  }

  @Test func `tells what the worker would do after an answer, and ends with 1`() throws {
    let scene = try PushScene(fault: "503-after")

    let program = try worker(["--device", "a1b2"], settings: scene.settings)

    #expect(program.output.contains(/\n< 503 after \d+ ms\n/))
    #expect(
      program.output.hasSuffix(
        """

        outcome  not sent: TooManyRequests
        worker   the push stays planned, and is tried again after 1 s, until its window ends
        worker   the answer counts as a failure: a fifth of a hundred stop the provider
        worker   the rate halves
        worker   its connections end, and others are made

        """))
    #expect(program.exitCode == 1)
  }

  @Test func `shows Apple the token of the process before it`() throws {
    let scene = try PushScene()
    let state = ["STATE_DIRECTORY": folder.path]

    for _ in 1...2 {
      let program = try worker(
        ["--device", "a1b2"], settings: scene.settings, variables: state)
      #expect(program.exitCode == 0, "\(program.errors)")
    }

    let seen = try scene.seen()
    #expect(seen.matches(of: /"bearer [^"]+"/).count == 1, "\(seen)")
  }

  @Test func `of a learner goes to the device that is tried first, and writes nothing down`() throws
  {
    let scene = try PushScene()
    let database = try TestDatabase.migrated()
    try database.connect().run(
      script: """
        INSERT INTO learning.users (user_id, display_name, zone, created_at, changed_at)
        VALUES (17, 'Ana', 'UTC', '2026-01-01Z', '2026-01-01Z');
        INSERT INTO learning.devices (user_id, device_id, provider, environment, token, registered_at)
        VALUES (17, 1, 'fcm', 'production', 'f1', '2026-01-01Z'),
          (17, 2, 'apns', 'sandbox', 'a1b2', '2026-02-01Z')
        """)
    let settings = "[database]\nurl = \"\(database.url)\"\n\(scene.settings)"

    let first = try worker(["--user", "17"], settings: settings)
    let google = try worker(["--user", "17", "--provider", "fcm"], settings: settings)
    let none = try worker(["--user", "17", "--provider", "webhook"], settings: settings)

    #expect(first.output.hasPrefix("device   85337816d263 of learner 17, at the sandbox of apns\n"))
    #expect(google.output.contains("of learner 17, at fcm, which only validates the push\n"))
    #expect(first.exitCode == 0 && google.exitCode == 0)
    #expect(
      none.errors
        == "worker: learner 17 has no valid device of webhook: 'worker push devices --user 17' shows why\n"
    )
    #expect(none.exitCode == 65)
    let rows: Int = try database.connect().run("SELECT count(*) FROM learning.notifications").only[
      0]
    #expect(rows == 0)
  }
}
