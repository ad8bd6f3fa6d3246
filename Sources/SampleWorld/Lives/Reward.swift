internal import LocalTime

/// What a learner is to be given: a row of `learning.reward_pending`.
struct Reward: Sendable {
  let key: String
  let kind: String
  let amount: Int32
  let session: Int?
  let serverClock: Instant
  let receivedAt: Instant

  /// The rewards for a learner's sessions, in the order in which they reach the server.
  static func all(for studies: [Study], of learner: Int, seed: Int) -> [Reward] {
    studies.flatMap { study in
      var dice = Dice(seed, of: learner, for: .rewards, study.id)
      return rewards(for: study, &dice)
    }.sorted { ($0.receivedAt, $0.key) < ($1.receivedAt, $1.key) }
  }

  /// A completed session's reward; now and then a bonus, one that comes twice, or one that cannot be.
  private static func rewards(for study: Study, _ dice: inout Dice) -> [Reward] {
    guard study.isCompleted else { return [] }
    let reward = Reward(for: study, &dice)
    var rewards = [reward]
    if dice.falls(0.015) {
      rewards.append(reward.arriving(.seconds(dice.number(1...40_000))))
    }
    if dice.falls(0.03) {
      rewards.append(
        Reward(
          key: "bonus:\(study.id)", kind: dice.falls(0.05) ? "raffle" : "bonus",
          amount: Int32(dice.falls(0.03) ? -20 : 20), session: nil, serverClock: study.startedAt,
          receivedAt: study.receivedAt + .milliseconds(300)))
    }
    return rewards
  }

  private init(for study: Study, _ dice: inout Dice) {
    let delay = Duration.milliseconds(dice.number(1...400))
    key = "session:\(study.id)"
    kind = "session_completed"
    amount = study.score
    // A session that nobody has, or one that is slower than its reward.
    session = dice.falls(0.002) ? study.id + 1_000_000 : study.id
    receivedAt =
      dice.falls(0.003)
      ? max(study.endedAt, study.receivedAt - .seconds(7200)) : study.receivedAt + delay
    switch dice.share() {
    case ..<0.002: serverClock = receivedAt + .seconds(600)
    case ..<0.005: serverClock = receivedAt - .seconds(8 * 86_400)
    default: serverClock = min(study.startedAt, receivedAt)
    }
  }

  private init(
    key: String, kind: String, amount: Int32, session: Int?, serverClock: Instant,
    receivedAt: Instant
  ) {
    (self.key, self.kind, self.amount, self.session) = (key, kind, amount, session)
    (self.serverClock, self.receivedAt) = (serverClock, receivedAt)
  }

  /// The same again, that much later.
  private func arriving(_ later: Duration) -> Reward {
    Reward(
      key: key, kind: kind, amount: amount, session: session, serverClock: serverClock,
      receivedAt: receivedAt + later)
  }
}
