import LocalTime
import Postgres

/// Measures by the words of the rules and nothing else: all attempts, one sort, one loop.
struct NaiveMeasure {
  struct Key: Hashable {
    let user: Int
    let pattern: Int
  }

  struct Attempt {
    let id: Int
    let isRight: Bool
    let hadHint: Bool
    let isFirstTry: Bool
    let at: Instant
  }

  let numbers: [Double?]
  let count: Int

  static func attempts(on connection: borrowing Connection) throws -> [Key: [Attempt]] {
    let rows = try connection.run(
      """
      SELECT user_id, pattern_id, attempt_id, correct, hint_used, first_try, answered_at
      FROM learning.attempts WHERE answered_at <= received_at + interval '10 minutes'
      """)
    var attempts: [Key: [Attempt]] = [:]
    for row in rows {
      let attempt = Attempt(
        id: try row[2], isRight: try row[3], hadHint: try row[4], isFirstTry: try row[5],
        at: try row[6])
      attempts[Key(user: try row[0], pattern: try row[1]), default: []].append(attempt)
    }
    return attempts
  }

  init(of attempts: [Attempt]) {
    let sorted = attempts.sorted { ($0.at, $0.id) < ($1.at, $1.id) }
    let latest = Self.measure(sorted)
    let weekBefore = (sorted.last?.at ?? Instant(secondsSince1970: 0)).advanced(bySeconds: -604_800)
    numbers = latest + [Self.measure(sorted.filter { $0.at <= weekBefore }).last ?? nil]
    count = min(attempts.count, 50)
  }

  private static func measure(_ attempts: [Attempt]) -> [Double?] {
    let latest = attempts.suffix(50)
    guard let oldest = latest.first else { return [] }
    var ewma: Double = oldest.isRight ? 1 : 0
    for attempt in latest.dropFirst() { ewma = 0.1 * (attempt.isRight ? 1 : 0) + 0.9 * ewma }
    let hints = Double(latest.filter(\.hadHint).count) / Double(latest.count)
    let firsts = Double(latest.filter(\.isFirstTry).count) / Double(latest.count)
    return [ewma, hints, firsts, ewma * (1 - hints).squareRoot() * firsts.squareRoot()]
  }
}
