import JobKit
import LocalTime

/// A reward that waits to be settled, and what is known about it.
struct PendingReward: Sendable, Equatable {
  let learner: Int
  let queueId: Int

  /// Where its row lies, as long as nobody writes it.
  let place: String
  let key: String
  let kind: String
  let amount: Int
  let sessionId: Int?
  let serverClock: Instant
  let receivedAt: Instant

  /// Whether its key was settled before, or stands earlier in the queue.
  let isKeyTaken: Bool

  /// The session that it is for; nothing as long as that has not been received.
  let session: Session?

  /// What a reward has to know of a session.
  struct Session: Sendable, Equatable {
    let receivedAt: Instant
    let isCompleted: Bool
    let isStudy: Bool
  }
}
