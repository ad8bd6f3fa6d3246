/// A step that `worker migrate up` applies, as it tells of it.
///
/// They are listed here once more: what was released is never renamed, left out or put elsewhere.
struct MigrationStep {
  fileprivate let schema: String
  private let version: Int
  private let name: String

  fileprivate static let all =
    steps(
      of: "jobkit",
      "ledger control retention drain notices schemas rules rules_proof work presence names fates")
    + steps(
      of: "learning",
      """
      app work push streaks reviews boards impossible bounds entries marks pushes ranges travel clocks parts summaries \
      patterns learners held keys blocks history proof release due news devices old_users old_devices aside aside_proof \
      held_marks earliest earliest_held edges names answers
      """)

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
    let schemas = ["jobkit", "learning"].map { name in
      "\(name) 1–\(all.count { $0.schema == name })"
    }
    return "\(all.count) migrations are missing (\(schemas.joined(separator: ", ")))"
  }
}
