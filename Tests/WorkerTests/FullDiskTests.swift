import Glibc
import Postgres
import TestSupport
import Testing

/// The disk of the server is full for a while.
@Suite(
  "A full disk",
  .enabled(
    if: SmallDisk.canBeMounted, "a disk that is soon full needs a mount, which is refused here"))
struct FullDiskTests {
  private let server: PrivateServer
  private let disk: SmallDisk

  init() throws {
    server = try PrivateServer()
    disk = try SmallDisk(megabytes: 24)
    try server.connect().run(script: "CREATE TABLESPACE small LOCATION '\(disk.path)'")
  }

  @Test func `a job whose table finds no room fails in words, and goes on when there is room`()
    throws
  {
    let rehearsal = try Rehearsal(on: server)
    try rehearsal.run(
      "ALTER TABLE rehearsal ADD filler text DEFAULT repeat('x', 1800)")
    try rehearsal.run("ALTER TABLE rehearsal SET TABLESPACE small")
    try disk.fill()

    let daemon = try rehearsal.daemon()
    let line = try rehearsal.awaitLine("(SQLSTATE 53100)")
    disk.makeRoom()
    try rehearsal.passTime()
    let status = try rehearsal.rest(daemon)

    #expect(line.contains("failed: could not extend file"))
    #expect(line.contains("hint: Check free disk space.; tried again in"))
    #expect(status == 0)
    #expect(try rehearsal.losses() == [])
  }

  @Test func `a ledger that finds no room is asked again, and catches up when there is room`()
    throws
  {
    try server.connect().run(script: "CREATE DATABASE night TABLESPACE small")
    let rehearsal = try Rehearsal(on: server, database: "night")
    // The first daemon of a ledger writes down the schedules, for which there is room.
    let first = try rehearsal.daemon()
    try rehearsal.wait(for: 1, of: "SELECT count(*) FROM jobkit.schedule")
    first.send(SIGTERM)
    #expect(try first.status() == 0)
    try rehearsal.run("INSERT INTO jobkit.job VALUES ('filler', now(), now())")
    try disk.fill()
    try rehearsal.fillPages()

    let daemon = try rehearsal.daemon()
    let line = try rehearsal.awaitLine("cannot decide: ")
    disk.makeRoom()
    try rehearsal.run("DELETE FROM jobkit.run WHERE job = 'filler'")
    let status = try rehearsal.rest(daemon)

    #expect(line.contains("No space left on device (SQLSTATE 53100)"))
    #expect(line.contains("; the other jobs go on"))
    #expect(status == 0)
    #expect(try rehearsal.losses() == [])
  }
}

extension Rehearsal {
  /// Fills the pages that the ledger has already, row by row, until it needs another.
  fileprivate func fillPages() throws {
    let error = #expect(throws: PostgresError.self) {
      for number in 1...10_000 {
        try run(
          """
          INSERT INTO jobkit.run (job, scheduled_for, trigger, state, reason, parts_left,
            decided_at, decided_by, finished_at)
          VALUES ('filler', to_timestamp(\(Double(number))), 'schedule', 'skipped', 'a test', 0,
            now(), 'test', now())
          """)
      }
    }
    #expect(error?.report?.sqlState == "53100")
  }
}
