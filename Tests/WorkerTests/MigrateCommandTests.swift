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

  /// A database in which the last three migrations of the learning schema are missing.
  init() throws {
    folder = try ScratchFolder()
    database = try TestDatabase()
    variables = [
      "WORKER_DATABASE_URL": database.url, "WORKER_CONFIG": "/dev/null",
      "TZDIR": try TestEnvironment.zoneinfo,
    ]
    try Self.make(database, without: 3)
  }

  /// Makes the tables of the runner, and those of the jobs but for the latest migrations.
  private static func make(_ database: borrowing TestDatabase, without count: Int) throws {
    let connection = try database.connect()
    let now = try LedgerClock.database.now(on: connection)
    let before = Schema(
      Schema.learning.migrations.dropLast(count), named: Schema.learning.name, rights: .learning)
    for schema in [Schema(), before] { try schema.migrate(by: "ana", at: now, on: connection) }
  }

  @Test(arguments: [
    ([], "'learning 35 edges' has left nothing behind; what was applied before it stays"),
    (["--dry-run"], "it was 'learning 35 edges' that failed; of a dry run nothing is kept"),
  ])
  func `a step that fails is named`(options: [String], remark: String) throws {
    try database.connect().run(
      "ALTER TABLE learning.reviews RENAME COLUMN local_day TO day")

    let program = try Program(words: ["migrate", "up"] + options, variables: variables)

    #expect(program.output == "")
    #expect(program.errors.hasPrefix("note: \(remark)\nworker: "))
    #expect(program.errors.contains("does not exist"))
    // Somebody has changed the schema, which is no mistake of the program.
    #expect(program.exitCode == 75)
  }

  @Test func `a dry run tells what it would apply, and keeps nothing`() throws {
    let program = try Program("migrate", "up", "--dry-run", variables: variables)

    #expect(
      program.output
        == "would apply learning 35 edges\nwould apply learning 36 names\n"
        + "would apply learning 37 answers\n"
        + "nothing of this was kept: it was a dry run\n")
    #expect(
      try Schema.learning.pending(on: database.connect()).map(\.name) == [
        "edges", "names", "answers",
      ])
  }

  @Test func `machines are told of what was done in the end`() throws {
    let program = try Program("migrate", "up", "--json", variables: variables)

    #expect(
      program.output.hasPrefix(
        "{\n  \"applied\": [\n    \"learning 35 edges\",\n    \"learning 36 names\",\n    \"learning 37 answers\"\n  ],\n"
      ))
    #expect(program.exitCode == 0)
  }

  @Test func `Ctrl-C ends the step also at the server, and says what is left`() throws {
    let other = try database.connect()

    try other.transaction { other in
      try other.run("LOCK TABLE learning.reviews IN SHARE MODE")
      let program = try start()
      try eventually { try isAwaited("relation", on: other) }
      program.send(SIGINT)

      #expect(try program.status() >> 8 == 130)
      #expect(
        try said()
          == "worker: interrupted: 'learning 35 edges' has left nothing behind, and what"
          + " was applied before stays; 'worker migrate up' goes on there\n")
      #expect(try !isAwaited("relation", on: other))
    }

    #expect(try Program("migrate", "up", variables: variables).exitCode == 0)
  }

  @Test(arguments: ["users", "devices"])
  func `whoever has read a table may write to it before a step that waits has it`(
    table: String
  ) throws {
    let older = try TestDatabase()
    try Self.make(older, without: 12)
    let app = try older.connect()

    let program = try app.transaction { app in
      try app.run("SELECT FROM learning.\(verbatim: table)")
      let program = try start(with: ["WORKER_DATABASE_URL": older.url])
      try eventually { try isAwaited("relation", on: app) }
      try app.run("UPDATE learning.\(verbatim: table) SET user_id = user_id")
      return program
    }

    #expect(try program.status() == 0)
  }

  @Test func `Ctrl-C ends the wait for another host, of which it tells once`() throws {
    let other = try database.connect()

    try other.transaction { other in
      // What whoever migrates locks.
      try other.run("LOCK TABLE learning.migration IN SHARE ROW EXCLUSIVE MODE")
      let program = try start()
      try eventually { try isAwaited("relation", on: other) }
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

  /// Whether somebody waits for a lock of this kind.
  private func isAwaited(_ kind: String, on connection: borrowing Connection) throws -> Bool {
    try connection.run(
      """
      SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = \(kind) AND NOT granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
      """
    ).only[0]
  }
}
