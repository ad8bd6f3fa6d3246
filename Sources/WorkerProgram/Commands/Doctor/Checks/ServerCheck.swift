internal import Postgres

/// Whether the database answers, may be written to, is young enough, and lets statements meet each other.
struct ServerCheck: DatabaseCheck {
  let name = "database"

  func check(at patient: Patient, on connection: borrowing Connection) throws -> [Observation] {
    let row = try connection.run(
      """
      SELECT current_setting('server_version') AS version,
        current_setting('server_version_num')::bigint / 10000 AS major,
        pg_is_in_recovery() AS is_standby, current_database()::text AS database,
        current_setting('transaction_read_only') = 'on' AS is_read_only,
        current_setting('default_transaction_isolation') AS isolation,
        quote_ident(current_user) AS role
      """
    ).only
    let (version, major): (String, Int) = (try row["version"], try row["major"])
    var seen: [Observation] = []
    if let problem = try readingOnly(row, at: patient) { seen.append(problem) }
    if major < Self.oldest {
      seen.append(
        .problem(
          "PostgreSQL \(version) is older than what the worker is tested with",
          why: "what the worker asks of it may not be understood",
          do: "upgrade the server to PostgreSQL \(Self.oldest) or later"))
    }
    seen += try isolation(in: row)
    return seen.orWell("\(patient.server) answers, PostgreSQL \(version)\(ownSide)")
  }

  private static let oldest = 14

  /// What keeps the session from writing, and what to do about that.
  private func readingOnly(_ row: Row, at patient: Patient) throws -> Observation? {
    let why = "every decision, claim and result is written there"
    if try row["is_standby"] {
      return .problem(
        "\(patient.server) is a standby", why: why,
        do: "name all hosts in 'database.url', with target_session_attrs=read-write")
    }
    guard try row["is_read_only"] else { return nil }
    let (role, database): (String, String) = (try row["role"], try row["database"])
    return .problem(
      "\(patient.server) lets role '\(role)' write nothing: default_transaction_read_only is on",
      why: why,
      do: "switch it off where '\\drds' in psql shows it, as with ALTER ROLE \(role) RESET"
        + " default_transaction_read_only, or for database '\(database)', or in postgresql.conf")
  }

  /// What speaks to the server on this side, which an upgrade of Debian changes below the program.
  private var ownSide: String {
    Libpq.version.map { " (libpq \($0))" } ?? ""
  }

  private func isolation(in row: Row) throws -> [Observation] {
    let (isolation, role): (String, String) = (try row["isolation"], try row["role"])
    guard isolation != "read committed" else { return [] }
    return [
      .problem(
        "transactions are '\(isolation)' here unless they say otherwise: claims and heartbeats that meet"
          + " others fail (SQLSTATE 40001)",
        why: "two daemons, or a daemon and a command, meet at the same rows all the time",
        do: "ALTER ROLE \(role) SET default_transaction_isolation = 'read committed'")
    ]
  }
}
