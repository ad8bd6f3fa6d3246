internal import JobKit
internal import LocalTime

extension Command {
  private static let action = Word(name: "status|up", help: "what to do: look, or migrate")

  /// Brings the ledger's schema up to date.
  static let migrate: Command = Command(
    name: "migrate",
    summary: "show or bring up to date the schema of the ledger",
    discussion: """
      'status' shows each migration and when it was applied; it ends with 75 when one is missing. 'up'
      applies what is missing, each in a transaction of its own and one host at a time; it may be run
      from several hosts at once. A database that a newer program has migrated is refused.
      """,
    words: [action],
    options: [.config, .sql, .json],
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
      case "status": try status(Opened.open(arguments), arguments, console)
      case "up": try up(Opened.open(arguments), arguments, console)
      default:
        throw UsageError(
          .badWord(arguments[action] ?? "", expected: "write 'status' or 'up'"), command: .migrate)
      }
    })

  private static func status(
    _ opened: borrowing Opened, _ arguments: Arguments, _ console: Console
  ) throws -> ExitCode {
    let steps = try Schema().status(on: opened.connection)
    if arguments.has(.sql) {
      for step in steps { try console.print(step.migration.sql) }
    } else if arguments.has(.json) {
      try console.print(JSON.array(steps.map(\.json)).pretty)
    } else {
      var table = Table("version", "name", "applied")
      for step in steps {
        let applied = step.appliedAt.map { Moment.text($0, at: opened.now) } ?? "missing"
        table.add("\(step.migration.version)", step.migration.name, applied)
      }
      try console.print(table.text(in: console.style))
    }
    return steps.allSatisfy { $0.appliedAt != nil } ? .done : .refusedForNow
  }

  private static func up(
    _ opened: borrowing Opened, _ arguments: Arguments, _ console: Console
  ) throws -> ExitCode {
    let done = try Schema().migrate(
      by: Host.author, at: opened.now, on: opened.connection)
    if arguments.has(.json) {
      try console.print(JSON.array(done.map { .string($0.name) }).pretty)
    } else if done.isEmpty {
      try console.print("the schema is up to date")
    } else {
      for migration in done { try console.print("applied \(migration.version) \(migration.name)") }
    }
    return .done
  }
}

extension Option {
  fileprivate static let sql = flag("sql", "print the SQL of every migration instead")
}

extension Schema.Step {
  fileprivate var json: JSON {
    [
      "version": .integer(migration.version), "name": .string(migration.name),
      "checksum": .string(migration.checksum), "applied_at": JSON(appliedAt?.description),
    ]
  }
}
