public import LocalTime
public import Postgres

extension Ledger {
  /// Lets a held run go on as it planned; false when it is not held.
  public static func approve(
    _ run: Int, by author: String, at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) -> Bool {
    try connection.run(
      """
      UPDATE jobkit.run
      SET state = 'due', reason = NULL, start_before = NULL, approved_at = \(now),
        approved_by = \(author)
      WHERE id = \(run) AND state = 'held'
      """
    ).affected == 1
  }
}
