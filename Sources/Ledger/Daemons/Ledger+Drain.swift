public import LocalTime
public import Postgres

extension Ledger {
  /// Every daemon that has not ended in good order, the oldest first; also those that fell silent.
  public static func daemons(
    on connection: borrowing Connection
  ) throws(PostgresError) -> [DaemonRecord] {
    let rows = try connection.run("SELECT * FROM jobkit.daemon ORDER BY started_at, name")
    var daemons: [DaemonRecord] = []
    for row in rows { daemons.append(try DaemonRecord(row)) }
    return daemons
  }

  /// When any daemon was there last; nothing in a ledger that none has worked with since it notes that.
  public static func lastSeen(
    on connection: borrowing Connection
  ) throws(PostgresError) -> Instant? {
    try connection.run("SELECT seen_at FROM jobkit.presence").first?[0]
  }

  /// Asks daemons to stop at their next chunks and end; who asked first is remembered.
  ///
  /// Each hears of it with its next look at the ledger, about a second later. A run by hand is not asked.
  public static func askToDrain(
    _ names: [String], by author: String, at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) {
    try connection.run(
      """
      UPDATE jobkit.daemon SET drain_asked_at = \(now), drain_asked_by = \(author)
      WHERE name = ANY(\(names)) AND NOT by_hand AND drain_asked_at IS NULL
      """)
  }
}
