import Postgres
import TestSupport
import Testing

@testable import WorkerProgram

@Suite("The page of pushes")
struct PushPageTests {
  @Test func `every command that is shown runs, with providers of this host`() throws {
    let scene = try PushScene()
    let database = try TestDatabase.migrated()
    try database.connect().run(
      script: """
        INSERT INTO learning.users (user_id, display_name, zone, created_at, changed_at)
        VALUES (17, 'Ana', 'UTC', '2026-01-01Z', '2026-01-01Z');
        INSERT INTO learning.devices (user_id, device_id, provider, token, registered_at)
        VALUES (17, 1, 'fcm', 'f1', '2026-01-01Z')
        """)
    let folder = try ScratchFolder()
    let file = try folder.write(
      "[database]\nurl = \"\(database.url)\"\n\(scene.settings)", to: "worker.toml", mode: 0o644)
    let lines = try TextFile.read("docs/push.md").split(separator: "\n")
      .filter { $0.hasPrefix("    ") && $0.contains("worker ") }

    #expect(lines.count >= 6)
    for line in lines {
      let program = try Program(
        shell: "worker() { \"$PROGRAM\" \"$@\"; }; { \(line); }",
        variables: [
          "WORKER_CONFIG": file, "TZDIR": TestEnvironment.zoneinfo, "PATH": "/usr/bin:/bin",
        ])
      #expect(program.exitCode == 0, "\(line): \(program.errors)\(program.output)")
    }
  }
}
