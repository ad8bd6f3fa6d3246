internal import Postgres

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
