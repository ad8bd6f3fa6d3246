import TestSupport
import Testing

extension TestDatabase {
  /// A database in which `worker migrate up` has been run.
  static func migrated() throws -> TestDatabase {
    try TestDatabase(copying: template.get())
  }

  /// Migrated once, by way of no pooler, whose sessions would keep it from being copied.
  private static let template = Result {
    let database = try TestDatabase()
    let program = try Program(
      "migrate", "up",
      variables: [
        "WORKER_CONFIG": "/dev/null",
        "WORKER_DATABASE_URL": "\(TestEnvironment.server) dbname=\(database.name)",
        "TZDIR": TestEnvironment.zoneinfo,
      ])
    try #require(program.exitCode == 0, "\(program.errors)")
    return database
  }
}
