@testable import JobKit
@testable import Runner

import Postgres
import TestKit
import TestSupport
import Testing

/// A chunk that needs a row which somebody else has locked.
@Suite("A chunk that waits for a lock")
struct LockTimeoutTests {
  private let stage: Stage
  private let tries = Counter()

  /// Whether whoever has locked the row may let go of it.
  private let mayLetGo = Box<Bool>()

  init() throws {
    stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.connection.run(
      script: """
        CREATE TABLE effect (n bigint);
        CREATE TABLE door (n bigint);
        INSERT INTO door VALUES (0);
        """)
    try stage.enter()
  }

  /// Locks the row until it may be let go of.
  private func lockDoor() throws -> TestThread<Void> {
    let (database, mayLetGo, isLocked) = (stage.database, self.mayLetGo, Box<Bool>())
    let holder = TestThread<Void> {
      try database.connect().transaction { connection in
        try connection.run("UPDATE door SET n = 1")
        isLocked.value = true
        try eventually { mayLetGo.value == true }
      }
    }
    try eventually { isLocked.value == true }
    return holder
  }

  /// A worker whose job leaves an effect and then needs the row; `listen` is told how often it has tried.
  private func worker(
    waiting wait: Duration, inAll whole: Duration, _ listen: @escaping @Sendable (Int) -> Void
  ) throws -> Worker {
    var server = try Server(stage.database.url)
    (server.lockLimit, server.statementLimit) = (wait, whole)
    let tries = self.tries
    let job = Rehearsed { context in
      try context.inChunks { connection, progress in
        try connection.run("INSERT INTO effect VALUES (1)")
        listen(tries.next())
        try connection.run("UPDATE door SET n = 2")
        progress.done = 1
        return .finished
      }
      return Outcome("went through")
    }
    let pool = WorkerPool(
      name: .sample(1), jobs: [WorkerPool.Member(job: job, policies: Policies())],
      zones: stage.zones)
    return Worker(of: pool, clock: stage.clock, on: try Connection(to: server))
  }

  @Test func `it lets go of what it has done and asks again, which is no failure`() throws {
    let (holder, mayLetGo) = (try lockDoor(), self.mayLetGo)
    var worker = try worker(waiting: .milliseconds(50), inAll: .seconds(60)) { tries in
      // More often than a chunk is tried that met a deadlock.
      if tries == 6 { mayLetGo.value = true }
    }

    let end = try worker.work().first?.end
    try holder.value()

    guard case .succeeded? = end else {
      Issue.record("\(String(describing: end))")
      return
    }
    #expect(tries.value >= 6)
    #expect(try stage.count("SELECT count(*) FROM effect") == 1)
    #expect(try stage.count("SELECT failures::bigint FROM jobkit.part") == 0)
  }

  @Test func `it has failed when it has waited for as long as a statement may take`() throws {
    let holder = try lockDoor()
    var worker = try worker(waiting: .milliseconds(250), inAll: .seconds(2)) { _ in }

    let end = try worker.work().first?.end
    mayLetGo.value = true
    try holder.value()

    guard case .retry(let error, after: _)? = end else {
      Issue.record("\(String(describing: end))")
      return
    }
    #expect(
      error.hasPrefix(
        "canceling statement due to lock timeout (SQLSTATE 55P03); held by process "), "\(error)")
    #expect(error.contains(", which has a lock on '") && error.contains(".door' since 20"))
    #expect(
      error.contains(
        "; tried 8 times; wait until the holder has let go, or end it with 'SELECT"
          + " pg_terminate_backend("),
      "\(error)")
    #expect(tries.value == 8)
    #expect(try stage.count("SELECT count(*) FROM effect") == 0)
  }

  @Test func `it hears between two waits that it is to stop`() throws {
    let (holder, pool) = (try lockDoor(), Box<ActiveParts>())
    var worker = try worker(waiting: .milliseconds(50), inAll: .seconds(60)) { tries in
      if tries == 2 { pool.value?.ask(.drained) }
    }
    pool.value = worker.activeParts

    let end = try worker.work().first?.end
    mayLetGo.value = true
    try holder.value()

    guard case .released? = end else {
      Issue.record("\(String(describing: end))")
      return
    }
    #expect(tries.value == 2)
    #expect(try stage.state() == "running due")
  }
}
