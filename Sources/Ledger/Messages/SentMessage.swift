package import LocalTime
package import Postgres

/// A message after a daemon has tried to tell it, with what came of it.
package struct SentMessage: Sendable {
  package let message: NoticeMessage

  /// Every way that has taken it by now, and why the others have not.
  package let toldChannels: [String]
  package let error: String?

  /// When it was claimed to be told.
  let claimedAt: Instant

  package init(message: NoticeMessage, toldChannels: [String], error: String?, claimedAt: Instant) {
    self.message = message
    self.toldChannels = toldChannels
    self.error = error
    self.claimedAt = claimedAt
  }

  /// What becomes of it.
  package enum End: Equatable {
    case told
    case again(after: Duration)
    case givenUp
  }

  package var end: End {
    guard error != nil else { return .told }
    guard claimedAt - message.madeAt < Self.patience else { return .givenUp }
    return .again(after: min(.seconds(5 << min(message.tries - 1, 20)), Self.longestWait))
  }

  /// After a day, what happened is found otherwise.
  private static let patience = Duration.seconds(86_400)
  static let longestWait = Duration.seconds(900)

  /// For how long the daemon that claimed a message has it: longer than all its ways may take.
  package static let lease = Duration.seconds(180)
}

extension SentMessage.End {
  var state: MessageState {
    switch self {
    case .told: .told
    case .again: .due
    case .givenUp: .givenUp
    }
  }

  var wait: Duration? {
    if case .again(let wait) = self { wait } else { nil }
  }

  var isOver: Bool { wait == nil }
}

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
}
