public import LocalTime
public import Postgres

extension Schema {
  /// Refuses to go on while a process is alive whose program cannot live with a step that is missing.
  ///
  /// Each process says in the ledger what its program knows. One from before there was a place to say
  /// so knows at most what had been applied when it began.
  public func requireNobodyTooOld(
    seenWithin limit: Duration, at now: Instant, on connection: borrowing Connection
  ) throws {
    let missing = try pending(on: connection)
    guard let step = missing.max(by: { $0.worksWith < $1.worksWith }),
      try areThere(["jobkit.daemon", "\(name).migration"], on: connection)
    else { return }
    let processes = try processes(
      knowingLessThan: step.worksWith, seenSince: now - limit, at: now, on: connection)
    guard !processes.isEmpty else { return }
    throw MigrationError.stillInUse(
      step: "\(name) \(step.version) \(step.name)", by: processes)
  }

  /// Whether all these tables are there: in a database without them nobody works.
  private func areThere(
    _ tables: [String], on connection: borrowing Connection
  ) throws(PostgresError) -> Bool {
    try connection.run(
      "SELECT bool_and(to_regclass(name) IS NOT NULL) AS are_there FROM unnest(\(tables)) AS name"
    ).only["are_there"]
  }

  private func processes(
    knowingLessThan version: Int, seenSince start: Instant, at now: Instant,
    on connection: borrowing Connection
  ) throws -> [MigrationError.Process] {
    let rows = try connection.run(
      """
      SELECT daemon.name, daemon.version, seen_at,
        -- Read so, because the columns are younger than the table.
        coalesce((to_jsonb(daemon) ->> 'by_hand')::boolean, false) AS by_hand
      FROM jobkit.daemon
      CROSS JOIN LATERAL (
        SELECT max(version) AS version FROM \(identifier: name).migration
        WHERE applied_at <= started_at
      ) AS at_start
      WHERE seen_at > \(start)
        AND coalesce((to_jsonb(daemon) -> 'schemas' ->> \(name))::bigint, at_start.version, 0)
          < \(version)
      ORDER BY daemon.name
      """)
    return try rows.map { row in
      MigrationError.Process(
        name: try row["name"], version: try row["version"],
        seen: now - (try row["seen_at", as: Instant.self]), isByHand: try row["by_hand"])
    }
  }
}
