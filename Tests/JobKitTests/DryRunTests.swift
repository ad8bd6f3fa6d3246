@testable import JobKit
@testable import Runner

import Postgres
import TestKit
import TestSupport
import Testing

/// What a dry run keeps from others, and for how long.
@Suite("A dry run")
struct DryRunTests {
  private let stage: Stage

  init() throws {
    stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.connection.run("CREATE TABLE item AS SELECT 1 AS id, 'nobody' AS owner")
  }

  /// Runs a job for show that does `work` in one chunk, under these limits of its connection.
  private func rehearse(
    idleLimit: Duration? = nil, lockLimit: Duration? = nil,
    _ work: @escaping @Sendable (borrowing Connection) throws -> Void
  ) throws -> DryRun.Report {
    var server = try Server(stage.database.url)
    (server.idleLimit, server.lockLimit) = (idleLimit, lockLimit)
    let job = Rehearsed { context in
      try context.inChunks { connection, _ in
        try work(connection)
        return .finished
      }
      return Outcome("done")
    }
    return try DryRun(
      of: WorkerPool.Member(job: job, policies: Policies()), part: PartNumber(number: 0, count: 1),
      percent: 100, for: stage.now, arguments: [:], zones: stage.zones
    ).run(on: Connection(to: server))
  }

  @Test func `one that is frozen is ended by the server, and others get its rows`() throws {
    let database = stage.database

    let error = #expect(throws: PostgresError.self) {
      _ = try rehearse(idleLimit: .milliseconds(50)) { connection in
        try connection.run("UPDATE item SET owner = 'dry run'")
        // It is given once the server has sent the silent one away.
        try database.connect().run("UPDATE item SET owner = 'other'", within: .hang)
      }
    }

    guard case .lost(_, let reason, "ROLLBACK")? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.contains("idle-in-transaction timeout") || reason.contains("closed"))
    #expect(try stage.text("SELECT owner FROM item") == "other")
  }

  @Test func `it waits for a lock for as long as any transaction does`() throws {
    let limit = Box<String>()

    _ = try rehearse(lockLimit: .milliseconds(1500)) { connection in
      let row = try connection.run("SELECT current_setting('lock_timeout')").only
      limit.value = try row[0, as: String.self]
    }

    #expect(limit.value == "1500ms")
  }
}
