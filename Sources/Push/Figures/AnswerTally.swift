/// What became of the pushes that one provider was to bring.
public struct AnswerTally: Sendable, Equatable {
  /// What may become of a push, as it is counted.
  public enum Outcome: String, Sendable, CaseIterable {
    case sent
    case refused
    case uncertain
    case notSent = "not_sent"
  }

  /// By what is counted.
  public struct Key: Sendable, Hashable {
    public let outcome: Outcome
    public let word: AnswerWord

    init(_ outcome: Outcome, _ word: AnswerWord) {
      (self.outcome, self.word) = (outcome, word)
    }
  }

  public private(set) var counts: [Key: Int] = [:]

  /// How many devices the provider called gone, by its reason.
  public private(set) var invalidated: [AnswerWord: Int] = [:]

  /// From the hand-off to the answer, of pushes that had one.
  public private(set) var seconds = Distribution(upTo: secondsBounds)

  /// From the minute in which pushes were due to their hand-off.
  public private(set) var lateness = Distribution(upTo: latenessBounds)

  /// When the latest answer came.
  public private(set) var answeredAt: ContinuousClock.Instant?

  public static let secondsBounds = [
    0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30,
  ]
  public static let latenessBounds: [Double] = [1, 5, 10, 30, 60, 120, 300, 900, 1800, 3600]

  public init() {}

  /// How many came to that, for whatever reason.
  public subscript(outcome: Outcome) -> Int {
    counts.reduce(0) { $1.key.outcome == outcome ? $0 + $1.value : $0 }
  }
}

extension AnswerTally {
  /// Counts what became of a push.
  mutating func note(_ delivery: Delivery, _ word: AnswerWord) {
    counts[Key(delivery.outcome, word), default: 0] += 1
    if case .refused = delivery { invalidated[word, default: 0] += 1 }
  }

  /// Counts pushes that were kept from leaving.
  mutating func noteKept(_ count: Int, _ word: AnswerWord) {
    counts[Key(.notSent, word), default: 0] += count
  }

  /// Notes that an answer came that long after the hand-off.
  mutating func noteAnswer(after duration: Duration, at now: ContinuousClock.Instant) {
    seconds.add(duration)
    answeredAt = now
  }

  /// Notes a push that was sent that long after it was due.
  mutating func noteHandOff(late duration: Duration) {
    lateness.add(duration)
  }
}

extension Delivery {
  var outcome: AnswerTally.Outcome {
    switch self {
    case .sent, .accepted: .sent
    case .refused, .rejected: .refused
    case .uncertain: .uncertain
    case .notSent: .notSent
    }
  }
}
