import LocalTime
import Postgres

/// A board by the words of the rules and nothing else: all sessions, a dictionary, one sort.
struct NaiveBoard {
  private struct Learner {
    var score = 0
    var accuracies: [Double] = []
    var reached = Instant(secondsSince1970: 0)

    var accuracy: Double { accuracies.sorted().reduce(0, +) / Double(accuracies.count) }
  }

  /// The entries, as `place rank user score`.
  let entries: [String]

  /// How many entries have the score of the one before.
  let ties: Int

  init(of category: String, since day: String, on connection: borrowing Connection) throws {
    let rows = try connection.run(
      """
      SELECT user_id, score, accuracy, ended_at FROM learning.sessions JOIN learning.users USING (user_id)
      WHERE completed AND started_at <= ended_at AND ended_at <= server_received_at + interval '10 minutes'
        AND status = 'active' AND local_day >= \(day)::text::date
        AND category IN (\(category), CASE WHEN \(category) = 'overall' THEN category END)
      """)
    var learners: [Int: Learner] = [:]
    for row in rows {
      let (user, score): (Int, Int) = (try row[0], try row[1])
      learners[user, default: Learner()].score += score
      learners[user, default: Learner()].accuracies.append(try row[2])
      guard score > 0 else { continue }
      learners[user, default: Learner()].reached = max(
        learners[user]?.reached ?? Instant(secondsSince1970: 0), try row[3])
    }
    let sorted = learners.filter { $0.value.score > 0 }.sorted { Self.key($0) < Self.key($1) }
    entries = sorted.enumerated().map { index, entry in
      let rank = sorted.count { $0.value.score > entry.value.score } + 1
      return "\(index + 1) \(rank) \(entry.key) \(entry.value.score)"
    }
    ties = zip(sorted, sorted.dropFirst()).count { $0.value.score == $1.value.score }
  }

  /// Accuracies to nine digits: those that are the same may differ as sums of floats.
  private static func key(_ entry: (key: Int, value: Learner)) -> (Int, Int, Instant, Int) {
    let accuracy = Int((entry.value.accuracy * 1e6).rounded())
    return (-entry.value.score, -accuracy, entry.value.reached, entry.key)
  }
}
