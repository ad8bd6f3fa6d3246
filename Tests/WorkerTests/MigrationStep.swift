/// A step that `worker migrate up` applies, as it tells of it.
///
/// They are listed here once more: what was released is never renamed, left out or put elsewhere.
struct MigrationStep {
  fileprivate let schema: String
  private let version: Int
  private let name: String

  fileprivate static let all =
    steps(of: "jobkit", "ledger") + steps(of: "learning", "learning")

  private static func steps(of schema: String, _ names: String) -> [MigrationStep] {
    names.split(separator: " ").enumerated().map { index, name in
      MigrationStep(schema: schema, version: index + 1, name: String(name))
    }
  }

  /// What every step is called where it is missing, such as `jobkit ledger`, in the order in which they are applied.
  static let names = all.map { "\($0.schema) \($0.name)" }

  /// A line for each step that says what became of it.
  static func lines(_ word: String) -> String {
    all.map { "\(word) \($0.schema) \($0.version) \($0.name)\n" }.joined()
  }
}

extension MigrationStep {
  /// What is said of a database that lacks them all.
  static var allMissing: String {
    "2 migrations are missing (jobkit 1, learning 1)"
  }
}
