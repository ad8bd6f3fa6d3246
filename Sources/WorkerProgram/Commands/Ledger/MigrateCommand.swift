internal import Config
internal import JobKit
internal import Ledger
internal import LocalTime
internal import Migrations
internal import Postgres
internal import Settings

extension Command {
  private static let action = Word(
    name: "status|up", help: "'status' to look, or 'up' to migrate")

  /// Brings the ledger's schema up to date.
  static let migrate: Command = Command(
    name: "migrate",
    summary: "show or bring up to date the schema of the ledger",
    discussion: """
      'status' shows each migration and when it was applied; when one is missing, standard error has its
      name, and it ends with 75. 'up' applies what is missing, each in a transaction of its own and one
      host at a time; it may be run from several hosts at once. A database that a newer program has
      migrated is refused. After that, and whenever it is run, it grants the roles that the settings name
      as 'database.worker_role', 'database.reader_role' and 'database.request_role' what each needs of the
      ledger, and takes away what else they have there.

      A migration of large tables may take minutes: no statement_timeout applies. For a busy table it waits
      5 s (others queue behind it), then steps back 5 s, twelve times in all; then it ends with 75, having
      changed nothing in that step. Ctrl-C ends the one under way at the server too: nothing is left of it,
      and those before it stay.

      A migration that takes away what a daemon or a run by hand that is alive still uses is refused with
      75, before anything is changed, with the names of those who must end first. --force migrates all the
      same.

      A schema in which the owner or the worker role looks names up ('search_path'), and in which another
      role may create, is refused with 75: the message says which, and what an administrator types.

      'up --dry-run' does it all in one transaction that is rolled back. --sql prints, for psql, what 'up'
      would do to this database, or with 'status' the SQL of every migration.
      """,
    words: [action],
    options: [.config, .migrationRehearsal, .sql, .migrationForce, .json] + Option.ofTimes,
    examples: [
      (
        "worker migrate up",
        "before the first start, and after an upgrade"
      ),
      (
        "worker migrate status",
        "which migrations are there"
      ),
    ],
    run: { arguments, console in
      switch arguments[action] {
      case "status": try status(LedgerSession.open(arguments), arguments, console)
      case "up": try upAsOwner(LedgerSession.open(arguments), arguments, console)
      default:
        throw UsageError(
          .badWord(arguments[action] ?? "", expected: "write 'status' or 'up'"), command: .migrate)
      }
    })

  private static func status(
    _ session: borrowing LedgerSession, _ arguments: Arguments, _ console: Console
  ) throws -> ExitCode {
    var steps: [(schema: String, step: Schema.Step)] = []
    for schema in ProgramSchemas.all {
      steps += try schema.status(on: session.connection).map { (schema.name, $0) }
    }
    if arguments.has(.sql) {
      for (_, step) in steps { try console.print(step.migration.sql) }
    } else if arguments.has(.json) {
      try console.print(JSON.array(steps.map { $1.json(in: $0) }).pretty)
    } else {
      let times = try session.times(arguments, of: [])
      var table = Table("schema", "version", "name", times.column("applied"))
      for (schema, step) in steps {
        let applied = step.appliedAt.map(times.text) ?? "missing"
        table.add(schema, "\(step.migration.version)", step.migration.name, applied)
      }
      try console.show(table, arguments, of: .migrate)
    }
    // Whoever reads only complaints, as an upgrade of the package does, must see what is missing.
    try ProgramSchemas.requireNewest(on: session.connection)
    return .done
  }

  private static func upAsOwner(
    _ session: borrowing LedgerSession, _ arguments: Arguments, _ console: Console
  ) throws -> ExitCode {
    do {
      return try up(session, arguments, console)
    } catch let error as PostgresError where error.isForbidden {
      throw MigrationForbidden(error, on: session.connection)
    }
  }

  private static func up(
    _ session: borrowing LedgerSession, _ arguments: Arguments, _ console: Console
  ) throws -> ExitCode {
    let roles = session.settings.database.roles
    let open = try OpenSchema.all(worker: roles.worker, on: session.connection)
    guard open.isEmpty else { throw MigrationError.openSchemas(open) }
    for schema in ProgramSchemas.all { try schema.check(roles, on: session.connection) }
    if !arguments.has(.migrationForce) {
      for schema in ProgramSchemas.all {
        try schema.requireNobodyTooOld(
          seenWithin: DaemonRecord.aliveFor, at: session.now, on: session.connection)
      }
    }
    if arguments.has(.sql) {
      for schema in ProgramSchemas.all {
        try console.print(schema.script(granting: roles, on: session.connection))
      }
      return .done
    }
    let report = MigrationReport(
      on: console, roles: roles, isRehearsal: arguments.has(.migrationRehearsal),
      isForMachines: arguments.has(.json))
    try report.telling(of: session.connection) {
      for schema in ProgramSchemas.all { try bringUp(schema, of: session, report) }
    }
    try report.conclude()
    return .done
  }

  private static func bringUp(
    _ schema: Schema, of session: borrowing LedgerSession, _ report: MigrationReport
  ) throws {
    let (author, now) = (Host.author, session.now)
    let tell = { report.hear($0, of: schema) }
    guard !report.isRehearsal else {
      return try schema.rehearse(
        granting: report.roles, by: author, at: now, on: session.connection, telling: tell)
    }
    try schema.migrate(by: author, at: now, on: session.connection, telling: tell)
    try schema.grant(report.roles, on: session.connection, telling: tell)
  }
}

extension Option {
  fileprivate static let migrationRehearsal = flag("dry-run", "do it all and roll it back")
  fileprivate static let migrationForce = flag(
    "force", "migrate although a process that is alive cannot live with it")
  fileprivate static let sql = flag("sql", "print the SQL instead")
}

extension Schema.Step {
  fileprivate func json(in schema: String) -> JSON {
    [
      "schema": .string(schema), "version": .integer(migration.version),
      "name": .string(migration.name),
      "checksum": .string(migration.checksum), "applied_at": JSON(appliedAt?.description),
    ]
  }
}
