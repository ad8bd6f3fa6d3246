import Postgres
import TestSupport
import Testing

@testable import WorkerProgram

@Suite("worker push devices")
struct PushDevicesTests {
  private let database: TestDatabase
  private let folder: ScratchFolder

  init() throws {
    database = try TestDatabase.migrated()
    folder = try ScratchFolder()
    try database.connect().run(
      script: """
        INSERT INTO learning.users (user_id, display_name, zone, created_at, changed_at)
        SELECT n, 'Ana', 'UTC', '2026-01-01Z', '2026-01-01Z' FROM generate_series(17, 18) AS n;
        INSERT INTO learning.devices (user_id, device_id, provider, environment, token, registered_at,
          invalidated_at, invalid_reason)
        VALUES (17, 1, 'fcm', 'production', 'f1', '2026-01-01Z', NULL, NULL),
          (17, 2, 'apns', 'sandbox', 'a1b2', '2026-02-01Z', NULL, NULL),
          (17, 3, 'apns', 'production', 'a1b3', '2026-03-01Z', '2026-03-02Z', 'Unregistered'),
          (17, 4, 'webhook', 'production', 'https://hooks.example/1', '2126-01-01Z', NULL, NULL)
        """)
  }

  private func worker(_ words: String..., settings: String = "") throws -> Program {
    let file = try folder.write(
      "[database]\nurl = \"\(database.url)\"\n\(settings)", to: "worker.toml", mode: 0o644)
    return try Program(
      words: ["push"] + words,
      variables: ["WORKER_CONFIG": file, "TZDIR": TestEnvironment.zoneinfo])
  }

  @Test func `are shown in the order in which a push is tried on them, by the hash of their token`()
    throws
  {
    let program = try worker("devices", "--user", "17", "--utc")

    let rows = program.output.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(rows.count == 5)
    #expect(rows[1].prefix(6) == ["first", "2", "the", "sandbox", "of", "apns"])
    #expect(rows[2].prefix(4) == ["if", "refused", "1", "fcm"])
    #expect(rows[3].prefix(3) == ["later", "4", "webhook"])
    #expect(rows[4].prefix(3) == ["never", "3", "apns"])
    #expect(rows[4].last == "Unregistered")
    // printf a1b2 | sha256sum
    #expect(program.output.contains("85337816d263"))
    for token in ["a1b2", "a1b3", "f1 ", "hooks.example"] {
      #expect(!program.output.contains(token), "\(program.output)")
    }
    #expect(
      program.errors == "note: 'push.transport' is \"log\": pushes are only written to the log\n")
    #expect(program.exitCode == 0)
  }

  @Test func `are shown to machines, with what keeps the first of them from a push`() throws {
    let program = try worker(
      "devices", "--user", "17", "--json", settings: "[push]\ntransport = \"providers\"\n")
    let none = try worker("devices", "--user", "18")

    #expect(program.output.contains(#""learner": 17"#))
    #expect(program.output.contains(#""use": "first""#))
    #expect(program.output.contains(#""token_sha256": "85337816d263""#))
    #expect(program.output.contains(#""invalid_reason": "Unregistered""#))
    #expect(
      program.output.contains(#""apns is not enabled: pushes of this learner wait until it is""#))
    #expect(none.output == "learner 18 has no device\n" && none.exitCode == 0)
  }

  @Test(
    arguments: [
      (["devices", "--user", "99"], "there is no learner 99 in learning.users", 65),
      (
        ["devices"], "'--user LEARNER' is missing; 'worker push --help' shows what can be written",
        64
      ),
      (
        ["devices", "--user", "Ana"],
        "'--user Ana': write the number of a learner, such as 17; 'worker push --help' shows what can be written",
        64
      ),
      (
        ["devices", "--user", "17", "--deliver"],
        "'--deliver': 'worker push devices' does not take it; 'worker push --help' shows what can be written",
        64
      ),
      (
        ["ring"],
        "'ring': write 'test' or 'devices' or 'providers'; 'worker push --help' shows what can be written",
        64
      ),
    ] as [([String], String, Int32)])
  func `that cannot be shown are refused`(words: [String], message: String, code: Int32) throws {
    let file = try folder.write(
      "[database]\nurl = \"\(database.url)\"\n", to: "worker.toml", mode: 0o644)
    let program = try Program(
      words: ["push"] + words,
      variables: ["WORKER_CONFIG": file, "TZDIR": TestEnvironment.zoneinfo])

    #expect(program.errors == "worker: \(message)\n")
    #expect(program.exitCode == code)
  }
}
