package import LocalTime
public import Postgres

extension Ledger {
  /// Writes what came of sending a message; false when another daemon has taken it over.
  package static func record(
    _ sent: SentMessage, at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) -> Bool {
    let end = sent.end
    return try connection.run(
      """
      UPDATE jobkit.message
      SET state = \(end.state), owner = NULL, told_channels = \(sent.toldChannels), error = \(sent.error),
        not_before = \(now + (end.wait ?? .zero)),
        ended_at = CASE WHEN \(end.isOver) THEN \(now)::timestamptz END
      WHERE id = \(sent.message.id) AND epoch = \(sent.message.epoch) AND state = 'sending'
      """
    ).affected == 1
  }

  /// The newest messages, whatever became of them, the newest first.
  public static func messages(
    _ most: Int, on connection: borrowing Connection
  ) throws(PostgresError) -> [MessageRecord] {
    let rows = try connection.run(
      "SELECT * FROM jobkit.message ORDER BY id DESC LIMIT \(most)")
    var messages: [MessageRecord] = []
    for row in rows { messages.append(try MessageRecord(row)) }
    return messages
  }
}
