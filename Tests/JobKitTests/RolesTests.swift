@testable import JobKit
@testable import Ledger
@testable import Runner

import LocalTime
import Migrations
import Postgres
import TestSupport
import Testing

/// An owner role migrates, a worker role works, a reader role looks.
@Suite("Roles")
struct RolesTests {
  private static let roles = LedgerRoles(worker: "the worker", reader: "looker")

  /// A server with these roles and a ledger that they may use.
  private func site() throws -> Site {
    let site = try Site()
    let connection = try site.connect()
    try connection.run(script: "CREATE ROLE \"the worker\" LOGIN; CREATE ROLE looker LOGIN;")
    try Schema().grant(Self.roles, on: connection)
    return site
  }

  @Test func `the worker role can do all that a daemon does`() throws {
    let site = try site()
    try site.leaveOpenWork(of: "fresh")
    try site.leaveWaitingTick(of: "fresh")
    let tries = Counter()
    let daemon = try site.daemon(of: "fresh", as: "the worker") { context in
      if tries.next() == 1 { throw Mishap() }
      try context.inChunks { _, progress in
        progress.done += 1
        return progress.done < 3 ? .more : .finished
      }
      return Outcome("done")
    }
    daemon.start()
    try site.wait(
      for: 4, of: "SELECT count(*) FROM jobkit.run WHERE job = 'fresh' AND state = 'succeeded'")
    daemon.drain(within: .hang)

    #expect(
      try site.number("SELECT count(*) FROM jobkit.run WHERE state = 'waiting'") == 0,
      "what waited for other jobs is decided")
    let complaints = site.log.filter { $0.contains("permission") || $0.hasPrefix("error: ") }
    #expect(complaints == [])
    #expect(
      try site.number(
        "SELECT count(*) FROM jobkit.run WHERE scheduled_for < now() - interval '9 d'")
        == 0, "what is too old is forgotten")
    #expect(try site.number("SELECT count(*) FROM jobkit.daemon") == 1, "only who was there before")
  }

  private struct Mishap: Error {}

  @Test func `the worker role can change no table and forget no job`() throws {
    let site = try site()
    let connection = try site.connect(as: "the worker")

    for statement in [
      "DROP TABLE jobkit.part", "ALTER TABLE jobkit.run ADD n bigint", "TRUNCATE jobkit.daemon",
      "CREATE TABLE jobkit.mine (n bigint)", "DELETE FROM jobkit.job",
      "UPDATE jobkit.migration SET checksum = ''", "CREATE SCHEMA mine",
    ] {
      let error = #expect(throws: PostgresError.self) { try connection.run(script: statement) }
      #expect(error?.report?.sqlState == "42501", "\(statement)")
    }
  }

  @Test func `the reader role sees every table and writes none`() throws {
    let site = try site()
    let connection = try site.connect(as: "looker")

    for table in SchemaRights.ledger.ofWorker.map(\.table) {
      try connection.run("SELECT FROM jobkit.\(identifier: table)")
      for statement in ["DELETE FROM jobkit.\(table)", "TRUNCATE jobkit.\(table)"] {
        let error = #expect(throws: PostgresError.self) { try connection.run(script: statement) }
        #expect(error?.isForbidden == true)
      }
    }
    let error = #expect(throws: PostgresError.self) {
      try Ledger.enter(["sample"], at: Instant(secondsSince1970: 0), on: connection)
    }
    #expect(
      error?.description
        == "permission denied for table job, as role 'looker' (SQLSTATE 42501)")
  }

  @Test func `no table of the ledger is forgotten`() throws {
    let site = try site()
    let tables = try site.connect().run(
      "SELECT tablename::text AS name FROM pg_tables WHERE schemaname = 'jobkit' ORDER BY 1"
    ).map { try $0["name", as: String.self] }

    #expect(tables == SchemaRights.ledger.ofWorker.map(\.table).sorted())
  }

  @Test func `granting again takes away what somebody gave besides`() throws {
    let site = try site()
    let connection = try site.connect()
    try connection.run(script: "GRANT ALL ON ALL TABLES IN SCHEMA jobkit TO looker")

    try Schema().grant(Self.roles, on: connection)

    let error = #expect(throws: PostgresError.self) {
      try site.connect(as: "looker").run("DELETE FROM jobkit.part")
    }
    #expect(error?.isForbidden == true)
  }

  @Test func `several hosts may grant at once`() throws {
    let site = try site()
    let url = try site.server.get().url()

    let hosts = (0..<4).map { _ in
      TestThread {
        let connection = try Connection(to: Server(url))
        for _ in 1...20 { try Schema().grant(Self.roles, on: connection) }
      }
    }

    for host in hosts { try host.value() }
  }

  @Test func `roles that cannot be granted anything are refused`() throws {
    let site = try site()
    let connection = try site.connect()
    func refusal(of roles: LedgerRoles) -> String? {
      #expect(throws: MigrationError.self) { try Schema().check(roles, on: connection) }?
        .description
    }

    #expect(
      refusal(of: LedgerRoles(worker: "nobody"))
        == "there is no role 'nobody' to grant anything to: create it, or correct the settings")
    #expect(
      refusal(of: LedgerRoles(reader: "postgres"))
        == "the role 'postgres' owns the ledger and may do everything there: name another role in"
        + " the settings, or none")
    #expect(
      refusal(of: LedgerRoles(worker: "looker", reader: "looker"))
        == "the role 'looker' is named as worker and as reader: a worker may look as it is")
  }

  @Test func `a role that may only look is told what it lacks to work`() throws {
    let site = try site()
    let looker = try site.connect(as: "looker")

    try SchemaRights.ledger.requireWorker(on: site.connect(as: "the worker"))
    let error = #expect(throws: RightsMissing.self) {
      try SchemaRights.ledger.requireWorker(on: looker)
    }

    let sentence =
      "the role 'looker' cannot work at the ledger: it lacks INSERT on jobkit.daemon, UPDATE on jobkit.daemon,"
      + " DELETE on jobkit.daemon and 32 more; connect as 'the worker', or let its administrator"
      + " 'GRANT \"the worker\" TO looker', which lends what that one may"
    #expect(error?.description == sentence)
    #expect(error?.lines.last == sentence)
    #expect(
      error?.lines.dropLast().map { $0.split(separator: " ").dropFirst().joined(separator: " ") }
        == error?.rights)
    #expect(error?.rights.last == "UPDATE on jobkit.watermark")
  }
}

extension Site {
  /// Leaves a tick that waits for a job that there is not, and runs all the same.
  fileprivate func leaveWaitingTick(of job: JobName) throws {
    try connect().run(
      """
      INSERT INTO jobkit.run (job, scheduled_for, trigger, state, decided_at, decided_by, after_jobs, after_ticks,
        after_until, after_failed, after_missing)
      VALUES (\(job), now() - interval '8 h', 'schedule', 'waiting', now(), 'test', '{gone}', '{NULL}', now(), 'skip',
        'run')
      """)
  }
}
