internal import LocalTime
internal import Postgres

/// Whether somebody keeps a transaction open for long.
struct TransactionsCheck: DatabaseCheck {
  let name = "transactions"

  /// How old one may be.
  var most = Duration.seconds(1800)

  func check(at patient: Patient, on connection: borrowing Connection) throws -> [Observation] {
    let rows = try connection.run(
      """
      SELECT pid, coalesce(usename, '?') AS role, coalesce(application_name, '') AS program,
        coalesce(state, '') AS state, extract(epoch FROM clock_timestamp() - xact_start)::bigint AS age
      FROM pg_stat_activity
      WHERE xact_start < clock_timestamp() - make_interval(secs => \(most / .seconds(1)))
        AND datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
      ORDER BY xact_start LIMIT 3
      """)
    var seen: [Observation] = []
    for row in rows {
      let (process, age): (Int, Int) = (try row["pid"], try row["age"])
      let who =
        "process \(process) of '\(try row["role", as: String.self])'"
        + " (\(try row["program", as: String.self]), \(try row["state", as: String.self]))"
      seen.append(
        .warning(
          "\(who) has had a transaction open for \(RelativeTime.text(.seconds(age)))",
          why: "autovacuum cleans nothing behind it, and its locks may stop a job",
          do: "ask its owner to end it, or end it: SELECT pg_terminate_backend(\(process))"))
    }
    return try (seen + prepared(on: connection)).orWell(
      "none is older than \(RelativeTime.text(most))")
      + blindness(on: connection)
  }

  private func prepared(on connection: borrowing Connection) throws -> [Observation] {
    let rows = try connection.run(
      """
      SELECT gid, extract(epoch FROM clock_timestamp() - prepared)::bigint AS age
      FROM pg_prepared_xacts
      WHERE database = current_database() AND prepared < clock_timestamp() - make_interval(secs => \(most / .seconds(1)))
      ORDER BY prepared LIMIT 3
      """)
    return try rows.map { row in
      let (name, age): (String, Int) = (try row["gid"], try row["age"])
      return .warning(
        "the prepared transaction '\(name)' waits for its end since \(RelativeTime.text(.seconds(age)))",
        why: "it keeps its locks, also over a restart, and autovacuum cleans nothing behind it",
        do: "ask its owner to commit it, or ROLLBACK PREPARED '\(name)'")
    }
  }

  /// Whoever may not see what others do sees no transactions of theirs.
  private func blindness(on connection: borrowing Connection) throws(PostgresError) -> [Observation]
  {
    let isBlind: Bool = try connection.run(
      "SELECT NOT pg_has_role(current_user, 'pg_read_all_stats', 'USAGE') AS is_blind"
    ).only["is_blind"]
    guard isBlind else { return [] }
    return [
      .note(
        "this role sees no transactions but its own",
        why: "one of another role that is open for long would not be found here",
        do: "for the whole picture ask as a member of pg_read_all_stats")
    ]
  }
}
