internal import Postgres

/// Whether a replication slot holds back what vacuum may clean, or the log that may be deleted.
struct HorizonCheck: DatabaseCheck {
  let name = "horizon"

  func check(at patient: Patient, on connection: borrowing Connection) throws -> [Observation] {
    let rows = try connection.run(
      """
      SELECT slot_name::text AS name, active,
        greatest(age(xmin), age(catalog_xmin), 0)::bigint AS age,
        coalesce(pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()
          ELSE pg_current_wal_lsn() END, restart_lsn), 0)::bigint / 1048576 AS megabytes
      FROM pg_replication_slots ORDER BY name
      """)
    var seen: [Observation] = []
    for row in rows {
      let (name, age, megabytes): (String, Int, Int) = (
        try row["name"], try row["age"], try row["megabytes"]
      )
      let isActive: Bool = try row["active"]
      guard !isActive || age > Self.mostAge || megabytes > Self.mostMegabytes else { continue }
      seen.append(
        .warning(
          "the replication slot '\(name)' is \(isActive ? "behind" : "used by nobody"): it holds back"
            + " \(age) transactions and \(megabytes) MB of log",
          why: "what it holds back cannot be cleaned: tables and log grow until the disk is full",
          do: "bring its standby back, or SELECT pg_drop_replication_slot('\(name)')"))
    }
    return try (seen + wraparound(on: connection)).orWell("nothing holds it back")
  }

  private func wraparound(on connection: borrowing Connection) throws(PostgresError)
    -> [Observation]
  {
    let age: Int = try connection.run(
      "SELECT age(datfrozenxid)::bigint FROM pg_database WHERE datname = current_database()"
    ).only[0]
    guard age > Self.mostUnfrozen else { return [] }
    return [
      .problem(
        "the oldest row that is not frozen is \(age) transactions old: at 2,000,000,000 the database takes"
          + " no more writes",
        why: "vacuum has been kept from the oldest rows for long, as by an old transaction or slot",
        do: "find what holds vacuum back, then VACUUM (FREEZE) the database")
    ]
  }

  private static let mostAge = 10_000_000
  private static let mostMegabytes = 10_240
  private static let mostUnfrozen = 1_000_000_000
}
