/// The care that is taken of one provider: how many pushes may leave for it, and whether any.
public struct Care: Sendable {
  public private(set) var rate: PushRate
  public private(set) var breaker = Breaker()

  /// What the provider complained of last, and when it did.
  private var complaint: (word: String, times: RecentTimes)?

  /// What may leave.
  public enum Leave: Sendable, Equatable {
    case now(Int)

    /// None yet, but soon.
    case later(Duration)

    /// None until somebody or something has changed.
    case none(because: String, wait: Duration)
  }

  public init(rate: PushRate) {
    self.rate = rate
  }

  /// Lets as many of `wanted` pushes leave at `now` as may; whoever is told so sends them.
  public mutating func leave(_ wanted: Int, at now: ContinuousClock.Instant) -> Leave {
    var asked = breaker
    let admission = asked.admit(at: now)
    if case .none(let reason, let wait) = admission { return .none(because: reason, wait: wait) }
    let wait = rate.wait(at: now)
    // The one that is sent to see is not used up by a rate that keeps it.
    guard wait == .zero else { return .later(wait) }
    breaker = asked
    return .now(rate.take(admission == .one ? 1 : wanted, at: now))
  }

  /// Notes what an answer means.
  public mutating func note(_ verdict: Verdict, at now: ContinuousClock.Instant) {
    breaker.note(verdict.health, at: now)
    if verdict.rate == .halve { rate.halve(at: now) }
  }

  /// Notes whether a connection could be made, and why not.
  public mutating func noteConnection(failing reason: String?, at now: ContinuousClock.Instant) {
    breaker.noteConnection(failing: reason, at: now)
  }

  /// Notes that the provider ended a connection with a complaint: the same three times in ten minutes lets none leave.
  public mutating func noteComplaint(_ word: String, at now: ContinuousClock.Instant) {
    if complaint?.word != word {
      complaint = (word, RecentTimes(most: 3, within: .seconds(600)))
    }
    guard complaint?.times.note(at: now) == true else { return }
    complaint = nil
    breaker.open(because: "it ended three connections with GOAWAY: \(word)", at: now)
  }

  /// Lets nothing leave for a minute.
  public mutating func stop(because reason: String, at now: ContinuousClock.Instant) {
    breaker.open(because: reason, at: now)
  }
}
