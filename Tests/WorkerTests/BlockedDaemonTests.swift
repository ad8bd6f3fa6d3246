import Glibc
import Postgres
import TestSupport
import Testing

/// A real daemon of which one job lacks a table.
@Suite("A daemon with a blocked job")
struct BlockedDaemonTests {
  private let database: TestDatabase
  private let folder: ScratchFolder

  init() throws {
    database = try TestDatabase.migrated()
    folder = try ScratchFolder()
    try folder.write(
      """
      [database]
      url = "\(database.url)"
      [push]
      log = "\(folder.path)/pushes"
      [jobs.settle_rewards]
      every = "1s"
      [jobs.refresh_leaderboard]
      every = "1s"
      """, to: "worker.toml", mode: 0o644)
    try database.connect().run(script: Self.rename)
  }

  private static let rename = "ALTER TABLE learning.leaderboard_entries RENAME TO kept"
  private static let reason =
    "it needs learning.leaderboard_entries, which the database does not have: restore it"

  private var variables: [String: String] {
    get throws {
      ["WORKER_CONFIG": folder.path + "/worker.toml", "TZDIR": try TestEnvironment.zoneinfo]
    }
  }

  private func worker(_ words: String...) throws -> Program {
    try Program(words: words, variables: variables)
  }

  private func daemon() throws -> ChildProcess {
    try ChildProcess(
      "/usr/bin/env",
      ["-i"] + variables.map { "\($0)=\($1)" } + [try TestEnvironment.debugBinary, "daemon"],
      output: "\(folder.path)/log")
  }

  private func wait(for statement: Statement) throws {
    let connection = try database.connect()
    try eventually(within: .seconds(120)) { try connection.run(statement).only[0] > 0 }
  }

  @Test func `runs all others, says which table is missing, and the job goes on when it is back`()
    throws
  {
    let daemon = try daemon()
    try wait(
      for: """
        SELECT count(*) FROM jobkit.run AS blocked, jobkit.run AS other
        WHERE blocked.job = 'refresh_leaderboard' AND blocked.reason LIKE 'blocked: %'
          AND other.job = 'settle_rewards' AND other.state = 'succeeded'
        """)
    let (jobs, health) = (try worker("jobs"), try worker("health", "--only", "schedule"))
    let doctor = try worker("doctor", "--only", "tables")
    try database.connect().run(script: "ALTER TABLE learning.kept RENAME TO leaderboard_entries")
    // Settings that are read again are a reason to look again; else it takes a minute.
    daemon.send(SIGHUP)
    try wait(
      for: """
        SELECT count(*) FROM jobkit.run WHERE job = 'refresh_leaderboard' AND state = 'succeeded'
        """)
    daemon.send(SIGTERM)

    #expect(try daemon.status() == 0)
    #expect(jobs.output.contains(Self.reason), "\(jobs.output)")
    #expect(health.output.contains("refresh_leaderboard: its ticks have been skipped for "))
    #expect(health.output.contains(Self.reason) && health.exitCode == 1, "\(health.output)")
    #expect(doctor.output.contains("refresh_leaderboard cannot run: \(Self.reason)"))
    #expect(doctor.exitCode == 1)
    let log = try TextFile.read("\(folder.path)/log")
    #expect(log.contains("blocked: \(Self.reason)"), "\(log)")
  }
}
