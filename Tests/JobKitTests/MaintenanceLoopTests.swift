@testable import JobKit
@testable import Ledger
@testable import Runner

import LocalTime
import Postgres
import TestSupport
import Testing

@Suite("The maintenance loop")
struct MaintenanceLoopTests {
  @Test func `a daemon that cannot show itself keeps its connection, and beats on`() throws {
    let site = try Site()
    try site.connect().run(
      "ALTER TABLE jobkit.daemon ADD CONSTRAINT nobody CHECK (false) NOT VALID")
    let daemon = try site.daemon()
    daemon.start()
    defer { daemon.drain(within: .seconds(10)) }

    let (beginning, end) = ("error: maintenance: its heartbeat: ", "; tried again at the next pass")
    try eventually {
      site.log.filter { $0.hasPrefix(beginning) && $0.hasSuffix(end) }.count >= 3
    }

    #expect(!site.log.contains { $0.hasPrefix("error: ") && !$0.hasPrefix(beginning) })
    try site.awaitSuccesses(2)
  }

  @Test func `a repair that fails keeps no other from being made`() throws {
    let site = try Site()
    let connection = try site.connect()
    try Ledger.enter(["sample"], at: LedgerClock.database.now(on: connection), on: connection)
    try connection.run(
      script: """
        ALTER TABLE jobkit.run ADD CONSTRAINT nothing_is_missed CHECK (state <> 'missed') NOT VALID;
        INSERT INTO jobkit.run (job, scheduled_for, trigger, state, exclusive, start_before, decided_at, decided_by)
        VALUES ('sample', '2026-01-01Z', 'manual', 'due', false, '2026-01-01Z', '2026-01-01Z', 'test');
        INSERT INTO jobkit.part (run, number, job, state, not_before)
        VALUES (1, 0, 'sample', 'due', '2026-01-01Z');
        INSERT INTO jobkit.run (job, scheduled_for, trigger, state, exclusive, decided_at, decided_by, after_jobs,
          after_ticks, after_until, after_failed, after_missing)
        VALUES ('sample', '2026-01-01Z', 'schedule', 'waiting', false, '2026-01-01Z', 'test', '{gone}',
          '{2026-01-01Z}', '2026-01-01Z', 'run', 'run');
        """)
    let daemon = try site.daemon()
    daemon.start()
    defer { daemon.drain(within: .seconds(10)) }

    try site.wait(
      for: 1, of: "SELECT count(*) FROM jobkit.run WHERE id = 2 AND state = 'succeeded'")

    #expect(site.log.contains { $0.hasPrefix("error: maintenance: ") && $0.contains("missed") })
  }

  @Test func `a daemon whose server only reads any more connects anew until one writes`() throws {
    let site = try Site()
    let daemon = try site.daemon()
    daemon.start()
    defer { daemon.drain(within: .seconds(10)) }
    try site.wait(for: 1, of: "SELECT count(*) FROM jobkit.daemon WHERE ready_at IS NOT NULL")

    try site.letWrite(false)
    for loop in ["scheduler", "maintenance"] {
      try eventually {
        // It was connected anew, and has found no other server.
        site.log.contains {
          $0.hasPrefix("error: \(loop): cannot execute ")
            && $0.hasSuffix(
              " (SQLSTATE 25006): default_transaction_read_only is on; tried again in 1s")
        }
      }
    }
    try site.letWrite(true)

    let now = try LedgerClock.database.now(on: site.connect())
    try site.awaitSuccesses(1, after: now)
    try site.wait(for: 1, of: "SELECT count(*) FROM jobkit.daemon WHERE seen_at > \(now)")
  }
}

extension Site {
  /// Lets the server write, or only read, as a standby does.
  fileprivate func letWrite(_ isWriting: Bool) throws {
    let connection = try connect()
    let value: Statement = isWriting ? "off" : "on"
    try connection.run("ALTER SYSTEM SET default_transaction_read_only = \(value)")
    try connection.run("SELECT pg_reload_conf()")
  }
}
