internal import LocalTime
internal import Postgres

/// One session: a row of `learning.sessions`.
struct Study: Sendable {
  let id: Int
  let key: PostgresUUID
  let category: String
  let startedAt: Instant
  let endedAt: Instant
  let isCompleted: Bool

  /// The calendar date of its end where the learner was then.
  let localDay: CivilDate
  let sentences: Int16
  let accuracy: Double
  let firstTries: Double
  let hints: Double
  let score: Int32
  let isOffline: Bool
  let receivedAt: Instant
}

extension Study {
  /// A session that ended at `end`, as the phone tells of it.
  init(
    _ id: Int, endingAt end: Instant, on day: CivilDate, with habit: Habit, _ dice: inout Dice
  ) {
    let isWhole = dice.falls(0.93)
    let length = dice.number(isWhole ? 240...900 : 30...300)
    // Now and then a phone's clock is set in the middle of a session, or runs ahead.
    let isBackwards = dice.falls(0.0002)
    self.id = id
    key = PostgresUUID(
      high: dice.next() & ~0xf000 | 0x4000, low: dice.next() & ~(0b11 << 62) | (0b10 << 62))
    category = dice.falls(0.7) ? habit.category : dice.one(of: Habit.categories)
    startedAt = end.advanced(bySeconds: isBackwards ? length : -length)
    endedAt = end
    isCompleted = isWhole
    localDay = day
    sentences = Int16(isWhole ? 12 - dice.number(0...3) * dice.number(0...2) : dice.number(0...6))
    accuracy = Self.rate(around: habit.skill, &dice)
    firstTries = Self.rate(around: habit.skill * 0.9, &dice)
    hints = Self.rate(around: 0.5 * (1 - habit.skill), &dice)
    score = Int32((accuracy * 20).rounded()) * 5 + Int32(sentences) * 5
    isOffline = dice.falls(0.07)
    receivedAt = end + Self.delay(isOffline: isOffline, &dice)
  }

  private static func rate(around middle: Double, _ dice: inout Dice) -> Double {
    // In hundredths, so that a mean is what anybody else comes to as well.
    (min(max(middle + dice.spread(0.1), 0), 1) * 100).rounded() / 100
  }

  /// How long a session takes to reach the server: a second, or what an offline phone takes.
  private static func delay(isOffline: Bool, _ dice: inout Dice) -> Duration {
    guard isOffline else {
      // A phone whose clock is ahead ends a session after the server has it: by more than can be, or not.
      return .milliseconds(
        dice.falls(0.0004) ? -dice.number(1000...7_200_000) : dice.number(50...3000))
    }
    let longest = dice.one(weighing: [
      (0.5, 3600), (0.35, 6 * 3600), (0.12, 30 * 3600), (0.03, 6 * 86_400),
    ])
    return .milliseconds(dice.number(60...longest) * 1000 + dice.number(0...999))
  }
}
