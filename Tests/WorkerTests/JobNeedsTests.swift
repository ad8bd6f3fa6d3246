import JobKit
import Jobs
import Ledger
import LocalTime
import Migrations
import Postgres
import TestSupport
import Testing

@testable import WorkerProgram

/// Each job names the tables that it works with, and works with no others.
@Suite("What jobs need")
struct JobNeedsTests {
  private let server: PrivateServer
  private let folder: ScratchFolder

  init() throws {
    (server, folder) = (try PrivateServer(), try ScratchFolder())
    let connection = try server.connect()
    try ProgramSchemas.migrate(
      by: "test", at: LedgerClock.database.now(on: connection), on: connection)
  }

  private func program(_ words: [String], as role: String) throws -> Program {
    let file = try folder.write(
      "[database]\nurl = \"\(server.url(user: role))\"\n[push]\nlog = \"\(folder.path)/pushes\"\n",
      to: "worker.toml", mode: 0o644)
    return try Program(
      words: words,
      variables: ["WORKER_CONFIG": file, "TZDIR": TestEnvironment.zoneinfo, "USER": "ana"])
  }

  /// A role that may keep the ledger, and what the job names beside it.
  private func role(for job: JobDefinition) throws -> String {
    let connection = try server.connect()
    let role = "of_\(job.name.text)"
    try connection.run(script: "CREATE ROLE \(role) LOGIN")
    try Schema().grant(LedgerRoles(worker: role), on: connection)
    let fixed = ["USAGE ON SCHEMA learning", "SELECT ON learning.migration"]
    let named = job.needs.map { "\($0.rights.joined(separator: ", ")) ON \($0.table)" }
    for right in fixed + named { try connection.run(script: "GRANT \(right) TO \(role)") }
    return role
  }

  @Test func `every job runs as a role that has exactly what it names, beside the ledger`() throws {
    let demo = try program(["demo", "data", "--learners", "60", "--days", "14"], as: "postgres")
    try #require(demo.exitCode == 0, "\(demo.errors)")

    for job in learningDefinitions {
      let role = try role(for: job)
      let isWhole = job.arguments.contains { $0.name == "full" }
      for words in isWhole ? [[], ["--arg", "full=true"]] : [[]] {
        let run = try program(["run", job.name.text, "--json"] + words, as: role)
        #expect(run.exitCode == 0, "\(job.name) \(words): \(run.output) \(run.errors)")
      }
    }
  }

  @Test func `no job names more than the worker's role is given`() throws {
    let connection = try server.connect()
    try connection.run(script: "CREATE ROLE app_worker LOGIN")
    for schema in ProgramSchemas.all {
      try schema.grant(LedgerRoles(worker: "app_worker"), on: connection)
    }

    let blocks = try Ledger.blocks(
      of: learningDefinitions.map { (name: $0.name, needs: $0.needs) },
      on: Connection(to: Server(server.url(user: "app_worker"))))

    #expect(blocks == [:])
    #expect(learningDefinitions.allSatisfy { !$0.needs.isEmpty })
  }
}
