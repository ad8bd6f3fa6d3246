public import Migrations

extension Migration {
  /// Every step of the ledger, oldest first: what was released is never changed, only followed.
  public static let all = [
    Migration(1, "ledger", PackageResources.v1_ledger_sql),
    Migration(2, "control", PackageResources.v2_control_sql),
    Migration(3, "retention", PackageResources.v3_retention_sql),
    Migration(4, "drain", PackageResources.v4_drain_sql, enduredSince: 3),
    Migration(5, "notices", PackageResources.v5_notices_sql, enduredSince: 3),
    Migration(6, "schemas", PackageResources.v6_schemas_sql, enduredSince: 3),
    Migration(7, "rules", PackageResources.v7_rules_sql, enduredSince: 3),
    Migration(8, "rules_proof", PackageResources.v8_rules_proof_sql, enduredSince: 3),
    Migration(9, "work", PackageResources.v9_work_sql, enduredSince: 3),
    Migration(10, "presence", PackageResources.v10_presence_sql, enduredSince: 3),
    Migration(11, "names", PackageResources.v11_names_sql, enduredSince: 3),
    Migration(12, "fates", PackageResources.v12_fates_sql, enduredSince: 3),
  ]
}

extension Schema {
  /// The ledger's own, up to the newest of its steps.
  public init(
    _ steps: [Migration] = Migration.all, patience: MigrationPatience = MigrationPatience()
  ) {
    self.init(steps, named: "jobkit", rights: .ledger, patience: patience)
  }
}
