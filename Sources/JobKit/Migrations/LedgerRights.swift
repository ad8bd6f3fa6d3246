extension SchemaRights {
  /// What a daemon does with the ledger, and nothing else: no table can be emptied or changed, and no
  /// job forgotten.
  public static let ledger = SchemaRights(
    in: "jobkit",
    ofWorker: [
      ("job", ["SELECT", "INSERT", "UPDATE"]),
      ("run", ["SELECT", "INSERT", "UPDATE", "DELETE"]),
      ("part", ["SELECT", "INSERT", "UPDATE", "DELETE"]),
      ("schedule", ["SELECT", "INSERT", "UPDATE"]),
      ("worker", ["SELECT", "INSERT", "UPDATE", "DELETE"]),
      ("notice", ["SELECT", "INSERT", "UPDATE", "DELETE"]),
      ("message", ["SELECT", "INSERT", "UPDATE", "DELETE"]),
      ("trouble", ["SELECT", "INSERT", "UPDATE", "DELETE"]),
      ("migration", ["SELECT"]),
    ])
}
