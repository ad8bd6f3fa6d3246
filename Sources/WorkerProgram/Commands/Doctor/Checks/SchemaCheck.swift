internal import JobKit
internal import Migrations
internal import Postgres

/// Whether the schemas are those that this program works on.
struct SchemaCheck: DatabaseCheck {
  let name = "schema"

  func check(at patient: Patient, on connection: borrowing Connection) throws -> [Observation] {
    var seen: [Observation] = []
    for schema in ProgramSchemas.all { seen += try check(at: schema, on: connection) }
    return seen
  }

  private func check(
    at schema: Schema, on connection: borrowing Connection
  ) throws -> [Observation] {
    do {
      let pending = try schema.pending(on: connection).map(\.version)
      guard pending.isEmpty else {
        let missing = MissingMigrations(schema: schema.name, versions: pending)
        return [
          .problem(
            "\(pending.count.counted("migration")) of the schema '\(schema.name)' missing: \(missing)",
            why: "this program does not start on a schema that is older than it",
            do: "run 'worker migrate up' as the owner of the schema")
        ]
      }
      let newer = try schema.newer(on: connection)
      guard newer.isEmpty else {
        return [
          .note(
            "the schema '\(schema.name)' has what a newer program added, and this one may go on beside"
              + " it: \(newer.joined(separator: ", "))",
            why: "an upgrade has begun and is not at its end",
            do: "end the upgrade: 'worker handover' of the newer program")
        ]
      }
      return [.ok("'\(schema.name)' is at version \(schema.migrations.count), as this program is")]
    } catch let error as MigrationError {
      return [
        .problem(
          "\(error)", why: "this program does not start on a schema that it does not know",
          do: "run the program that has migrated it")
      ]
    }
  }
}
