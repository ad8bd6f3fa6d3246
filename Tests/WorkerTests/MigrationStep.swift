import JobKit
import Jobs

/// A step that `worker migrate up` applies, as it tells of it.
struct MigrationStep {
  let schema: String
  let migration: Migration

  /// Every step, in the order in which they are applied.
  static let all = [Schema(), .learning].flatMap { schema in
    schema.migrations.map { MigrationStep(schema: schema.name, migration: $0) }
  }

  /// What every step is called where it is missing, such as `jobkit ledger`.
  static let names = all.map { "\($0.schema) \($0.migration.name)" }

  /// A line for each step that says what became of it.
  static func lines(_ word: String) -> String {
    all.map { "\(word) \($0.schema) \($0.migration.version) \($0.migration.name)\n" }.joined()
  }
}
