public import Migrations

extension Migration {
  /// Every step of the ledger, oldest first: what was released is never changed, only followed.
  public static let all = [
    Migration(
      1, "ledger", PackageResources.v1_jobs_sql, PackageResources.v1_runs_sql,
      PackageResources.v1_parts_sql, PackageResources.v1_daemons_sql,
      PackageResources.v1_messages_sql, PackageResources.v1_requests_sql)
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
