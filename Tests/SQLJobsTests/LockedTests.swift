import JobKit
import Ledger
import Postgres
import Runner
import Settings
import TestKit
import TestSupport
import Testing

@Suite("A job of the settings that waits in vain for a lock")
struct LockedTests {
  /// What came of a run beside another session that has a lock.
  private struct Trial {
    let said: String
    let run: Int

    /// The process of the other session.
    let process: Int
  }

  /// Works at a run of a job, with little patience, while another session has what `script` locks.
  private func work(at job: Described, on stage: Stage, beside script: String) throws -> Trial {
    let other = try stage.database.connect()
    try other.run(script: "BEGIN; \(script)")
    let process: Int = try other.run("SELECT pg_backend_pid()::bigint").only[0]
    let run = try stage.enter(job)
    let said = try Described.work(at: run, with: job, on: impatient(stage), stage.clock)
    try other.run(script: "ROLLBACK")
    return Trial(said: said, run: run, process: process)
  }

  /// As the settings make it, but for its limits: a chunk is tried four times.
  private func impatient(_ stage: Stage) throws -> Server {
    var server = try Server(stage.database.url)
    (server.fixesNames, server.lockLimit) = (true, .milliseconds(500))
    server.statementLimit = .seconds(2)
    return server
  }

  private func expect(_ trial: Trial, names table: String, afterTries tries: String) {
    let said = trial.said
    let holder = "(SQLSTATE 55P03); held by process \(trial.process) of role '"
    #expect(said.contains(holder), "\(said)")
    #expect(said.contains(", which has a lock on '\(table)' since 20"), "\(said)")
    let remedy =
      "Z\(tries); wait until the holder has let go, or end it with 'SELECT"
      + " pg_terminate_backend(\(trial.process))'"
    #expect(said.contains(remedy), "\(said)")
  }

  @Test func `a chunk of rows names the holder, and how often it was tried`() throws {
    let stage = try Stage.shop(carts: 20)
    let job = try Described.carts(Described.old)

    let trial = try work(
      at: job, on: stage, beside: "UPDATE shop.cart SET touches = 1 WHERE cart_id = 4")

    expect(trial, names: "shop.cart", afterTries: "; tried 4 times")
  }

  @Test func `a chunk of groups names the holder, and how often it was tried`() throws {
    let stage = try Stage.purchases()
    try stage.connection.run("INSERT INTO shop.day VALUES ('2026-02-03', 0, 0)")

    let trial = try work(
      at: try .counting(), on: stage, beside: "UPDATE shop.day SET purchases = 1")

    expect(trial, names: "shop.day", afterTries: "; tried 4 times")
  }

  @Test func `a partition that is to go names whoever only reads its table`() throws {
    let stage = try Stage.hits()

    let trial = try work(
      at: try .dropping(), on: stage, beside: "SELECT count(*) FROM shop.hit")

    expect(trial, names: "shop.hit", afterTries: "; tried 4 times")
    #expect(try stage.partitions().count == 6)
  }

  @Test func `a count before the first chunk names the holder`() throws {
    let (rows, groups) = (try Stage.shop(carts: 20), try Stage.purchases())

    let deleting = try work(
      at: try .carts(Described.old), on: rows,
      beside: "LOCK TABLE shop.cart IN ACCESS EXCLUSIVE MODE")
    let counting = try work(
      at: try .counting(), on: groups, beside: "LOCK TABLE shop.purchase IN ACCESS EXCLUSIVE MODE")

    expect(deleting, names: "shop.cart", afterTries: "")
    expect(counting, names: "shop.purchase", afterTries: "")
  }

  @Test func `a dry run names the holder, for which it waits once`() throws {
    let stage = try Stage.shop(carts: 20)
    let job = try Described.carts(Described.old)
    let other = try stage.database.connect()
    try other.run(script: "BEGIN; UPDATE shop.cart SET touches = 1 WHERE cart_id = 4")
    let process: Int = try other.run("SELECT pg_backend_pid()::bigint").only[0]

    let report = try DryRun(
      of: WorkerPool.Member(job: job, policies: job.definition.policies),
      part: PartNumber(number: 0, count: 1), percent: 100, for: stage.now, arguments: [:],
      zones: stage.zones
    ).run(on: Connection(to: impatient(stage)))

    expect(
      Trial(said: "\(report)", run: 0, process: process), names: "shop.cart", afterTries: "")
  }

  @Test func `a row is counted once, however often its chunk was tried`() throws {
    let stage = try Stage.shop(carts: 100)
    let job = try Described.carts(Described.old + "chunk = 2")

    let trial = try work(
      at: job, on: stage, beside: "UPDATE shop.cart SET touches = 1 WHERE cart_id = 48")
    let before = try stage.record(of: trial.run)
    let left = try stage.count("SELECT count(*) FROM shop.cart")
    try stage.pass(.seconds(3600))
    try stage.goOn(with: job)
    let after = try stage.record(of: trial.run)

    #expect(trial.said.contains("; tried 4 times"), "\(trial.said)")
    #expect(before.done > 0 && before.done == 100 - left)
    #expect(before.counters["deleted"] == before.done)
    #expect(after.state == .succeeded && after.done == 40)
    #expect(after.counters["deleted"] == 40)
  }
}
