public import Postgres

/// One message to people as the ledger tells of it.
public struct MessageRecord: Sendable, Equatable {
  public let message: NoticeMessage
  public let state: MessageState
  public let tries: Int

  /// The ways that have taken it.
  public let toldChannels: [String]
  public let error: String?

  init(_ row: Row) throws(PostgresError) {
    message = try NoticeMessage(row)
    state = try row["state"]
    tries = try row["tries"]
    toldChannels = try row["told_channels"]
    error = try row["error"]
  }
}

extension Ledger {
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
