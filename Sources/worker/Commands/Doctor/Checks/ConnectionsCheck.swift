internal import Postgres

/// Whether the server has room for a daemon's connections.
struct ConnectionsCheck: DatabaseCheck {
  let name = "connections"
  let why = "a daemon that gets no connection decides nothing, and claims nothing"

  func look(at patient: Patient, on connection: borrowing Connection) throws -> [Observation] {
    let row = try connection.run(
      """
      SELECT current_setting('max_connections')::bigint
          - current_setting('superuser_reserved_connections')::bigint AS most,
        (SELECT count(*) FROM pg_stat_activity WHERE datid IS NOT NULL) AS used,
        (SELECT rolconnlimit::bigint FROM pg_roles WHERE rolname = current_user) AS of_role,
        (SELECT datconnlimit::bigint FROM pg_database WHERE datname = current_database()) AS of_database
      """
    ).only
    let (most, used): (Int, Int) = (try row["most"], try row["used"])
    let limits = [
      ("the role", try row["of_role", as: Int.self]),
      ("the database", try row["of_database", as: Int.self]),
    ]
    let need = patient.connections
    var seen = limits.filter { $0.1 >= 0 && $0.1 < need }.map { owner, limit in
      Observation.problem(
        "\(owner) may have \(limit) connections, and a daemon needs \(need)",
        do: "raise its CONNECTION LIMIT, or lower 'workers'")
    }
    let text = "\(used) of \(most) connections are in use, and a daemon needs \(need)"
    let remedy = "raise max_connections, lower 'workers', or put a pooler between"
    if most - used < need {
      seen.append(.problem(text, do: remedy))
    } else if most - used < 2 * need {
      seen.append(.warning(text + ": two more, as in an upgrade, have no room", do: remedy))
    }
    return seen.orWell(text)
  }
}
