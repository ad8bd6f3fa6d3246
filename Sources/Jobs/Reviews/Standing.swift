import LocalTime
import Postgres

/// How a learner stands with a pattern: a function of their attempts, whenever it is asked.
struct Standing: Equatable {
  let pattern: Int
  let measure: Measure

  /// The conquest a week before the newest attempt; nothing when there was no attempt yet.
  let weekBefore: Double?
  let trend: Trend

  /// Where the pattern is in its boxes, when its content type is chosen by them.
  let box: LeitnerBox?

  /// When the latest of the attempts was received.
  let measuredAt: Instant
}

/// Where conquest is going.
enum Trend: String, PostgresValue {
  case rising
  case steady
  case falling
}

extension Trend {
  init(from before: Double?, to now: Double, under rules: borrowing ReviewRules) {
    let change = before.map { now - $0 } ?? 0
    if change >= rules.trendStep {
      self = .rising
    } else {
      self = change <= -rules.trendStep ? .falling : .steady
    }
  }
}
