@testable import JobKit
@testable import Runner

import Postgres
import TestKit
import Testing

/// What a job asks the database before its first chunk.
@Suite("Looking before the first chunk")
struct QueryTests {
  /// A job whose plan is what a query says, and which then has one effect.
  private struct Looking: Job {
    let query: Statement
    var effect: Statement = "SELECT 1"
    var definition: JobDefinition {
      JobDefinition(name: "sample", purpose: "looks", schedule: .every(.seconds(60)))
    }

    func plan(_ context: borrowing JobContext) throws -> Int? { try context.query(query).only[0] }

    func run(_ context: inout JobContext) throws -> Outcome {
      try context.inChunks { connection, _ in
        try connection.run("INSERT INTO effect \(effect)")
        return .finished
      }
      return Outcome("done")
    }
  }

  private let stage: Stage

  init() throws {
    stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.connection.run("CREATE TABLE effect (number bigint)")
    try stage.enter()
  }

  private func work(planning query: Statement, doing effect: Statement = "SELECT 1") throws {
    let job = Looking(query: query, effect: effect)
    var worker = try stage.worker(1, WorkerPool.Member(job: job, policies: Policies()))
    _ = try worker.work()
  }

  @Test func `a plan that would write is a failed try, and writes nothing`() throws {
    try work(planning: "INSERT INTO effect VALUES (2) RETURNING number")

    #expect(try stage.text("SELECT error FROM jobkit.part").contains("read-only transaction"))
    #expect(try stage.count("SELECT count(*) FROM effect") == 0)
  }

  @Test func `after a plan that only reads, the chunks write`() throws {
    try work(planning: "SELECT 7")

    #expect(try stage.state() == "succeeded succeeded")
    #expect(try stage.count("SELECT planned FROM jobkit.run") == 7)
    #expect(try stage.count("SELECT sum(number)::bigint FROM effect") == 1)
  }

  /// Whether Postgres may compile a statement here.
  private static let mayCompile: Statement =
    "SELECT CASE current_setting('jit') WHEN 'off' THEN 0 ELSE 1 END"

  @Test func `no statement of a plan or a chunk is compiled, as each would be by itself`() throws {
    try #require(try stage.count(Self.mayCompile) == 1)
    try work(planning: Self.mayCompile, doing: Self.mayCompile)

    #expect(try stage.count("SELECT planned FROM jobkit.run") == 0)
    #expect(try stage.count("SELECT sum(number)::bigint FROM effect") == 0)
    #expect(try stage.dryRun(Looking(query: Self.mayCompile)).planned == 0)
  }
}
