import JobKit
import Jobs
import LocalTime
import Postgres
import Settings
import TestSupport
import Testing

@testable import WorkerProgram

/// What a check of the settings and the doctor say of providers that learners' devices need.
@Suite("Providers that devices need")
struct PushNeedsTests {
  private let database: TestDatabase
  private let practice: Practice

  init() throws {
    database = try TestDatabase.migrated()
    practice = try Practice()
  }

  private func register(_ provider: String, invalid: Bool = false) throws {
    let device = provider.utf8.reduce(0) { $0 + Int($1) }
    try database.connect().run(
      """
      WITH learner AS (
        INSERT INTO learning.users (user_id, display_name, zone, created_at, changed_at)
        VALUES (17, 'Ana', 'UTC', '2026-01-01Z', '2026-01-01Z') ON CONFLICT DO NOTHING
      )
      INSERT INTO learning.devices (user_id, device_id, provider, token, registered_at, invalidated_at,
        invalid_reason)
      VALUES (17, \(device), \(provider), 'token', '2026-01-01Z',
        CASE WHEN \(invalid) THEN '2026-02-01Z'::timestamptz END, CASE WHEN \(invalid) THEN 'gone' END)
      """)
  }

  private func check(_ words: String..., settings: String) throws -> Program {
    let file = try practice.settingsFile(at: database.url, settings).path
    return try Program(
      words: ["check", "--config", file] + words, variables: ["TZDIR": TestEnvironment.zoneinfo])
  }

  private func webhooks(_ more: String = "") throws -> String {
    let secret = try practice.folder.write(
      "whsec_bTRya2VyLW00cmtlci1tNHJrZXItbTRya2Vy\n", to: "webhook_secret")
    return """
      [push]
      transport = "providers"
      [push.webhook]
      enabled = true
      secret_file = "\(secret)"
      \(more)
      """
  }

  private let sentence =
    "learners have devices of fcm, and [push.fcm] is not enabled, so their pushes wait: write"
    + " 'enabled = true' there, with the key that docs/push.md tells of"

  @Test func `a provider that a device needs and that is not enabled is refused in one sentence`()
    throws
  {
    for provider in ["webhook", "fcm"] { try register(provider) }

    let text = try check("--connect", settings: webhooks())
    let json = try check("--connect", "--json", settings: webhooks())
    let unasked = try check(settings: webhooks())
    let log = try check("--connect", settings: "")

    #expect(text.errors == "worker: \(sentence)\n" && text.exitCode == 78)
    #expect(json.output.contains("\"ok\": false") && json.output.contains(sentence))
    #expect(unasked.exitCode == 0, "nobody was asked which devices there are")
    #expect(log.exitCode == 0, "a log needs no key")
  }

  @Test func `a device that is invalid needs no provider`() throws {
    try register("fcm", invalid: true)

    #expect(try check("--connect", settings: webhooks()).exitCode == 0)
  }

  @Test func `the doctor says it, too, and which are needed when all is well`() throws {
    let connection = try database.connect()
    let patient = try practice.patient(at: database.url, webhooks())
    let nobody = try PushDevicesCheck().check(at: patient, on: connection)
    try register("webhook")
    let well = try PushDevicesCheck().check(at: patient, on: connection)
    try register("fcm")
    let ill = try PushDevicesCheck().check(at: patient, on: connection)

    #expect(nobody.lines == ["note: no learner has a valid device"])
    #expect(well.lines == ["ok: devices need webhook, and each is enabled"])
    #expect(ill.lines == ["problem: \(sentence)"])
  }

  @Test func `a clock by which no provider takes tokens is a problem`() throws {
    let patient = try practice.patient(at: database.url, PushScene().settings)
    let connection = try database.connect()
    let lines = try [0, 290, 310, -310].map { seconds in
      var check = PushDevicesCheck()
      check.clock = { SystemClock.now() + .seconds(seconds) }
      return try check.check(at: patient, on: connection).lines[1]
    }

    let well = "ok: tokens are made by a clock that is less than 5 min from the database's"
    #expect(lines[0] == well && lines[1] == well)
    #expect(lines[2].contains(/^problem: this host's clock is 5 min.* ahead of the database's$/))
    #expect(lines[3].contains(/^problem: this host's clock is 5 min.* behind the database's$/))
  }

  @Test func `authorities that cannot be read are a problem`() throws {
    let scene = try PushScene()
    let patient = try practice.patient(settings(of: scene, "/nowhere/authorities"))
    let usual = try practice.patient(webhooks())
    let pipe = "\(practice.folder.path)/pipe"
    try ChildProcess.run("/usr/bin/mkfifo", [pipe])
    let held = try practice.patient(settings(of: scene, pipe))

    #expect(
      PushLogCheck().check(at: held).lines.dropFirst() == [
        "problem: cannot read certificates of authorities in '\(pipe)': it is a named pipe: give a file, or a"
          + " pipe as <(…) makes it"
      ])
    #expect(
      PushLogCheck().check(at: patient).lines.dropFirst() == [
        "problem: cannot read certificates of authorities in '/nowhere/authorities': no such file or directory"
      ])
    #expect(
      CertificateStore(path: "\(practice.folder.path)/none").observations(
        of: .init(usual.settings.rules)
      ).map(\.remedy) == ["install ca-certificates"])
  }

  /// Settings whose authorities of Apple are in another file.
  private func settings(of scene: PushScene, _ authorities: String) -> String {
    var lines = scene.settings.split(separator: "\n").map(String.init)
    if let first = lines.firstIndex(where: { $0.hasPrefix("authorities") }) {
      lines[first] = "authorities = \"\(authorities)\""
    }
    return lines.joined(separator: "\n")
  }

  @Test func `with --reach the doctor connects to each provider, and sends nothing`() throws {
    let scene = try PushScene()
    let words = ["--only", "push", "--reach"]
    let well = try practice.doctor(at: database.url, words, settings: scene.settings)
    let gone = scene.settings.replacing("localhost:\(scene.port)", with: "localhost:1")
    let ill = try practice.doctor(at: database.url, words, settings: gone)

    let ok = "push: localhost:\(scene.port) speaks HTTP/2, and its certificate is verified"
    #expect(well.output.matches(of: /push: localhost:\d+ speaks HTTP/).count == 2)
    #expect(well.output.contains(ok))
    #expect(well.output.contains("Google gives the service account an access token"))
    #expect(well.exitCode == 0, "\(well.output)")
    #expect(ill.output.contains("push: localhost:1: cannot connect to the server: "))
    #expect(ill.exitCode == 1)
    #expect(try scene.seen().contains(#"{"worked": {}, "broken": []"#))
  }
}
