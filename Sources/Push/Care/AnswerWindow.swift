/// How many answers of the last minute were refusals that ought not to be.
struct AnswerWindow: Sendable {
  /// What was counted in one of the minute's parts.
  private struct Part {
    var number = -1
    var answers = 0
    var failures = 0
  }

  private var parts = [Part](repeating: Part(), count: count)
  private var start: ContinuousClock.Instant?

  private static let count = 12
  private static let length = Duration.seconds(5)

  mutating func note(isFailing: Bool, at now: ContinuousClock.Instant) {
    let start = self.start ?? now
    self.start = start
    let number = max(Int((now - start) / Self.length), 0)
    let place = number % Self.count
    if parts[place].number != number { parts[place] = Part(number: number) }
    parts[place].answers += 1
    if isFailing { parts[place].failures += 1 }
  }

  /// Whether a fifth of at least a hundred answers were such.
  func areFailing(at now: ContinuousClock.Instant) -> Bool {
    guard let start else { return false }
    let oldest = Int((now - start) / Self.length) - Self.count
    let recent = parts.filter { $0.number > oldest && $0.number >= 0 }
    let (answers, failures) = recent.reduce((0, 0)) { ($0.0 + $1.answers, $0.1 + $1.failures) }
    return answers >= 100 && failures * 5 >= answers
  }
}
