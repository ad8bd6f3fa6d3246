internal import LocalTime
internal import Postgres

/// Whether autovacuum cleans the ledger.
struct VacuumCheck: DatabaseCheck {
  let name = "autovacuum"

  /// How many dead rows are nothing to speak of.
  var most = 20_000

  func check(at patient: Patient, on connection: borrowing Connection) throws -> [Observation] {
    let rows = try connection.run(
      """
      SELECT stats.relname::text AS name, n_dead_tup AS dead, n_live_tup AS live, last_autovacuum,
        coalesce('autovacuum_enabled=false' = ANY(reloptions) OR 'autovacuum_enabled=off' = ANY(reloptions),
          false) AS is_off
      FROM pg_stat_user_tables AS stats JOIN pg_class ON pg_class.oid = relid
      WHERE schemaname = 'jobkit' ORDER BY name
      """)
    var seen = try disabled(on: connection)
    for row in rows {
      let name: String = try row["name"]
      if try row["is_off"] {
        seen.append(
          .problem(
            "autovacuum is switched off for jobkit.\(name)", why: Self.growth,
            do: "ALTER TABLE jobkit.\(name) RESET (autovacuum_enabled)"))
      }
      let (dead, live): (Int, Int) = (try row["dead"], try row["live"])
      guard dead > max(most, live) else { continue }
      let last =
        (try row["last_autovacuum", as: Instant?.self])
        .map { "autovacuum came last \(RelativeTime.text($0, at: patient.now))" }
        ?? "autovacuum never came"
      seen.append(
        .warning(
          "jobkit.\(name) has \(dead) dead rows beside \(live): \(last)", why: Self.growth,
          do: "VACUUM jobkit.\(name); then see 'transactions' and 'horizon' for what keeps it away")
      )
    }
    return seen.orWell("\(rows.count) tables of the ledger are clean")
  }

  private static let growth =
    "each run changes its rows a few times: uncleaned, every claim reads more and more of them"

  private func disabled(on connection: borrowing Connection) throws(PostgresError) -> [Observation]
  {
    let off: String? = try connection.run(
      """
      SELECT string_agg(name, ', ' ORDER BY name) FROM pg_settings
      WHERE name IN ('autovacuum', 'track_counts') AND setting = 'off'
      """
    ).only[0]
    return off.map {
      [
        .problem(
          "\($0) is off on this server", why: Self.growth,
          do: "switch it on in postgresql.conf and reload")
      ]
    } ?? []
  }
}
