import LocalTime

/// What becomes of a reward.
enum RewardVerdict: Sendable, Equatable {
  case settled(score: Int, xp: Int, at: Instant)
  case duplicate(at: Instant)
  case rejected(Reason, at: Instant)
  /// The session that earned it may still come, or be completed.
  case waits(until: Instant)

  /// Why a reward is not settled.
  enum Reason: String, Sendable {
    case unknownKind = "unknown_kind"
    case negativeAmount = "negative_amount"
    case noSuchSession = "no_such_session"
    case clockInTheFuture = "clock_in_the_future"
    case clockTooOld = "clock_too_old"

    /// Whether it cannot be, rather than having come too late.
    var isQuarantined: Bool {
      switch self {
      case .unknownKind, .negativeAmount, .noSuchSession: true
      case .clockInTheFuture, .clockTooOld: false
      }
    }
  }
}

extension RewardVerdict {
  /// Decides by what is known at `now`.
  ///
  /// The verdict carries the instant from which on it was clear, not the one at which somebody asked: a
  /// run that comes late writes the same.
  init(on reward: PendingReward, at now: Instant, by rules: RewardRules) {
    if reward.isKeyTaken {
      self = .duplicate(at: reward.receivedAt)
    } else if reward.amount < 0, ["session_completed", "bonus"].contains(reward.kind) {
      self = .rejected(.negativeAmount, at: reward.receivedAt)
    } else if reward.kind == "session_completed" {
      self = Self.forSession(reward, at: now, by: rules)
    } else if reward.kind == "bonus" {
      self = Self.byClock(reward, score: 0, since: reward.receivedAt, by: rules)
    } else {
      self = .rejected(.unknownKind, at: reward.receivedAt)
    }
  }

  private static func forSession(
    _ reward: PendingReward, at now: Instant, by rules: RewardRules
  ) -> RewardVerdict {
    let deadline = reward.receivedAt + rules.sessionWithin
    guard reward.sessionId != nil else { return .rejected(.noSuchSession, at: reward.receivedAt) }
    guard let session = reward.session, session.isCompleted, session.receivedAt <= deadline else {
      return now < deadline ? .waits(until: deadline) : .rejected(.noSuchSession, at: deadline)
    }
    let since = max(reward.receivedAt, session.receivedAt)
    guard session.isStudy else { return .rejected(.noSuchSession, at: since) }
    return byClock(reward, score: reward.amount, since: since, by: rules)
  }

  /// The server's clock decides, not the phone's.
  private static func byClock(
    _ reward: PendingReward, score: Int, since instant: Instant, by rules: RewardRules
  ) -> RewardVerdict {
    let age = reward.receivedAt - reward.serverClock
    guard age >= .zero else { return .rejected(.clockInTheFuture, at: instant) }
    guard age <= rules.oldestClock else { return .rejected(.clockTooOld, at: instant) }
    return .settled(score: score, xp: reward.amount, at: instant)
  }
}

extension RewardVerdict: CustomStringConvertible {
  var description: String {
    switch self {
    case .settled(let score, let xp, _): "settled with score \(score) and XP \(xp)"
    case .duplicate: "a duplicate, as its key was settled before or stands earlier in the queue"
    case .rejected(let reason, _): "rejected, \(reason.rawValue)"
    case .waits(let deadline): "waiting for its session until \(deadline)"
    }
  }
}
