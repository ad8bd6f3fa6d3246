internal import LocalTime

/// One answered item: a row of `learning.attempts`.
struct Answer: Sendable {
  let id: Int
  let pattern: Int32
  let isCorrect: Bool
  let usedHint: Bool
  let isFirstTry: Bool
  let answeredAt: Instant
  let receivedAt: Instant

  /// How many patterns there are to learn.
  static let patterns = 40

  /// What was answered in a session of a learner, as far as it is kept.
  static func all(in study: Study, of learner: Int, with habit: Habit, seed: Int) -> [Answer] {
    var dice = Dice(seed, of: learner, for: .answers, study.id)
    let count = dice.number(2...4)
    let length = max(1, study.endedAt.secondsSince1970 - study.startedAt.secondsSince1970)
    return (0..<count).map { number in
      let pattern = pattern(of: learner, &dice)
      // Each learner has patterns that are hard, and others that are not.
      let ease = Double((pattern * 7 + learner) % 10) * 0.05 - 0.2
      let isCorrect = dice.falls(min(max(habit.skill + ease, 0.05), 0.98))
      let second = length * (number + 1) / (count + 1)
      let isAhead = dice.falls(0.0002)
      return Answer(
        id: study.id * 10 + number, pattern: Int32(pattern), isCorrect: isCorrect,
        usedHint: dice.falls(0.35 * (1 - habit.skill)),
        isFirstTry: dice.falls(isCorrect ? 0.85 : 0.5),
        answeredAt: isAhead
          ? study.receivedAt.advanced(bySeconds: number == 0 ? 90 : 3600)
          : study.startedAt.advanced(bySeconds: second),
        receivedAt: study.receivedAt)
    }
  }

  /// A learner is busy with a few patterns at a time, some of them more.
  private static func pattern(of learner: Int, _ dice: inout Dice) -> Int {
    let near = min(dice.number(0...7), dice.number(0...7))
    return (learner * 13 + near) % patterns + 1
  }
}
