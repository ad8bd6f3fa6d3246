@testable import JobKit

import Postgres
import TestKit
import Testing

/// What a job asks the database before its first chunk.
@Suite("Looking before the first chunk")
struct LookTests {
  /// A job whose plan is what a query says, and which then has one effect.
  private struct Looking: Job {
    let query: Statement
    var definition: JobDefinition {
      JobDefinition(name: "sample", purpose: "looks", schedule: .every(.seconds(60)))
    }

    func plan(_ context: borrowing JobContext) throws -> Int? { try context.look(query).only[0] }

    func run(_ context: inout JobContext) throws -> Outcome {
      try context.inChunks { connection, _ in
        try connection.run("INSERT INTO effect VALUES (1)")
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

  private func work(planning query: Statement) throws {
    var worker = try stage.worker(
      1, Crew.Member(job: Looking(query: query), policies: Policies()))
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
}
