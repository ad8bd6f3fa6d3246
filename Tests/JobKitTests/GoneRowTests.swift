@testable import JobKit
@testable import Runner

import Postgres
import TestKit
import TestSupport
import Testing

/// A chunk that writes of rows which it has read, and one of which somebody else deletes in between.
@Suite("A chunk that writes of a row that is gone")
struct GoneRowTests {
  private let stage: Stage
  private let tries = Counter()

  init() throws {
    stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.connection.run(
      script: """
        CREATE TABLE account (id bigint PRIMARY KEY);
        CREATE TABLE effect (account bigint REFERENCES account);
        INSERT INTO account VALUES (1), (2), (3);
        """)
    try stage.enter()
  }

  /// The end of a part whose job reads accounts, lets somebody else at them, and writes of each.
  private func end(
    _ others: @escaping @Sendable (_ tries: Int, _ app: borrowing Connection) throws -> Void
  ) throws -> PartOutcome? {
    let (tries, database) = (self.tries, stage.database)
    let job = Rehearsed { context in
      try context.inChunks { connection, progress in
        let accounts = try connection.run("SELECT id FROM account ORDER BY id")
        try others(tries.next(), try database.connect())
        for row in accounts {
          try connection.run("INSERT INTO effect VALUES (\(try row[0, as: Int.self]))")
        }
        progress.done = accounts.count
        return .finished
      }
      return Outcome("went through")
    }
    let pool = WorkerPool(
      name: .sample(1), jobs: [WorkerPool.Member(job: job, policies: Policies())],
      zones: stage.zones)
    var worker = Worker(of: pool, clock: stage.clock, on: try stage.database.connect())
    return try worker.work().first?.end
  }

  @Test func `it begins anew without what is gone, which is no failure`() throws {
    let end = try end { tries, app in
      if tries == 1 { try app.run("DELETE FROM account WHERE id = 2") }
    }

    guard case .succeeded? = end else {
      Issue.record("\(String(describing: end))")
      return
    }
    #expect(tries.value == 2)
    #expect(
      try stage.text("SELECT string_agg(account::text, ' ' ORDER BY account) FROM effect") == "1 3")
    #expect(try stage.text("SELECT concat_ws(' ', failures, done) FROM jobkit.part") == "0 2")
  }

  @Test func `it has failed when each time something else is gone`() throws {
    let end = try end { tries, app in
      try app.run("INSERT INTO account VALUES (\(tries + 3))")
      try app.run("DELETE FROM account WHERE id < \(tries + 3)")
    }

    guard case .retry(let error, after: _)? = end else {
      Issue.record("\(String(describing: end))")
      return
    }
    #expect(error.contains(#"violates foreign key constraint "effect_account_fkey""#))
    #expect(tries.value == 4)
    #expect(try stage.count("SELECT count(*) FROM effect") == 0)
  }
}
