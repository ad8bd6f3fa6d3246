internal import Postgres

/// Whether the server has room for a daemon's connections.
struct ConnectionsCheck: DatabaseCheck {
  let name = "connections"

  func check(at patient: Patient, on connection: borrowing Connection) throws -> [Observation] {
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
        why: "what gets no connection decides no ticks, or claims no parts",
        do: "raise its CONNECTION LIMIT, or lower 'workers'")
    }
    let text = "\(used) of \(most) connections are in use, and a daemon needs \(need)"
    if let scarcity = scarcity(of: most - used, for: need, text) { seen.append(scarcity) }
    return seen.orWell(text)
  }

  private func scarcity(of left: Int, for need: Int, _ text: String) -> Observation? {
    let remedy = "raise max_connections, lower 'workers', or put a pooler between"
    guard left >= need else {
      return .problem(
        text, why: "another daemon would get none, and decide and claim nothing", do: remedy)
    }
    guard left < 2 * need else { return nil }
    return .warning(
      text + ": two more, as in an upgrade, have no room",
      why: "in an upgrade the new daemon runs beside the old one for a while", do: remedy)
  }
}
