import Glibc
import JobKit
import Ledger
import Migrations
import Postgres
import TestSupport
import Testing

@testable import Jobs

@Suite("worker migrate up that does not come to its end")
struct MigrateCommandTests {
  private let folder: ScratchFolder
  private let database: TestDatabase
  private let variables: [String: String]

  /// A database in which the runner's tables are, and none of the jobs'.
  init() throws {
    folder = try ScratchFolder()
    database = try TestDatabase()
    variables = [
      "WORKER_DATABASE_URL": database.url, "WORKER_CONFIG": "/dev/null",
      "TZDIR": try TestEnvironment.zoneinfo,
    ]
    let connection = try database.connect()
    try Schema().migrate(
      by: "ana", at: LedgerClock.database.now(on: connection), on: connection)
  }

  @Test(arguments: [
    ([], "'learning 1 learning' has left nothing behind; what was applied before it stays"),
    (["--dry-run"], "it was 'learning 1 learning' that failed; of a dry run nothing is kept"),
  ])
  func `a step that fails is named`(options: [String], remark: String) throws {
    try database.connect().run(
      script: "CREATE SCHEMA learning; CREATE VIEW learning.users AS SELECT 1 AS user_id")

    let program = try Program(words: ["migrate", "up"] + options, variables: variables)

    #expect(program.output == "")
    #expect(program.errors.hasPrefix("note: \(remark)\nworker: "))
    #expect(program.errors.contains("already exists"))
    #expect(program.exitCode == 75)
  }

  @Test func `a dry run tells what it would apply, and keeps nothing`() throws {
    let program = try Program("migrate", "up", "--dry-run", variables: variables)

    #expect(
      program.output
        == "would apply learning 1 learning\n"
        + "nothing of this was kept: it was a dry run\n")
    #expect(
      try Schema.learning.pending(on: database.connect()).map(\.name) == ["learning"])
  }

  @Test func `machines are told of what was done in the end`() throws {
    let program = try Program("migrate", "up", "--json", variables: variables)

    #expect(
      program.output.hasPrefix(
        "{\n  \"applied\": [\n    \"learning 1 learning\"\n  ],\n"))
    #expect(program.exitCode == 0)
  }

  @Test func `Ctrl-C ends the step also at the server, and says what is left`() throws {
    let other = try database.connect()

    // A table of that name which is not committed yet: the step waits to see whether it will be.
    try other.run("CREATE SCHEMA learning")
    try other.run(script: "BEGIN; CREATE TABLE learning.users (user_id bigint)")
    let program = try start()
    let third = try database.connect()
    try eventually { try isAwaited("transactionid", on: third) }
    program.send(SIGINT)

    #expect(try program.status() >> 8 == 130)
    #expect(
      try said()
        == "worker: interrupted: 'learning 1 learning' has left nothing behind, and what"
        + " was applied before stays; 'worker migrate up' goes on there\n")
    #expect(try !isAwaited("transactionid", on: third))
    try other.run(script: "ROLLBACK")

    #expect(try Program("migrate", "up", variables: variables).exitCode == 0)
  }

  @Test func `Ctrl-C ends the wait for another host, of which it tells once`() throws {
    let other = try database.connect()

    try Schema([], named: Schema.learning.name, rights: .learning).migrate(
      by: "ana", at: LedgerClock.database.now(on: other), on: other)
    try other.transaction { other in
      // What a host that migrates locks.
      try other.run("LOCK TABLE learning.migration IN SHARE ROW EXCLUSIVE MODE")
      let program = try start()
      let third = try database.connect()
      try eventually { try isAwaited("relation", on: third) }
      program.send(SIGINT)

      #expect(try program.status() >> 8 == 130)
    }

    let said = try said()
    #expect(said.hasPrefix("note: another host migrates this database (process "))
    #expect(said.contains(", which has a lock on 'learning.migration' since "))
    #expect(
      said.hasSuffix(
        "): this one waits until it is done, for 30m at most\n"
          + "worker: interrupted: what was applied before stays; 'worker migrate up' goes on there\n"
      ))
    #expect(said.split(separator: "\n").count == 2)
  }

  private func start(with others: [String: String] = [:]) throws -> ChildProcess {
    try ChildProcess(
      "/usr/bin/env",
      ["-i"] + variables.merging(others) { $1 }.map { "\($0)=\($1)" } + [
        try TestEnvironment.binary, "migrate", "up",
      ],
      output: folder.path + "/said")
  }

  private func said() throws -> String { try TextFile.read(folder.path + "/said") }

  /// Whether somebody waits for a lock of this kind, asked outside of any transaction: within one the server shows
  /// the sessions of its first look for good.
  private func isAwaited(_ kind: String, on connection: borrowing Connection) throws -> Bool {
    try connection.run(
      """
      SELECT EXISTS (SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)
        WHERE locktype = \(kind) AND NOT granted AND datname = current_database())
      """
    ).only[0]
  }
}
