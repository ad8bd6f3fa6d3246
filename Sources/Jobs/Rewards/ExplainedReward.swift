internal import Config
import JobKit
import LocalTime
import Postgres

/// A reward, and what became of it or will.
struct ExplainedReward {
  private let queueId: Int
  private let kind: String
  private let amount: Int
  private let key: String
  private let state: String
  private let reason: String?
  private let settledAt: Instant?

  /// What a run would decide now, while nothing is decided.
  private let verdict: RewardVerdict?

  init(_ row: Row, verdicts: [Int: RewardVerdict]) throws(PostgresError) {
    (queueId, kind, amount) = (try row[0], try row[1], try row[2])
    (state, reason, settledAt) = (try row[3], try row[4], try row[5])
    key = try row[6]
    verdict = verdicts[queueId]
  }

  var sentence: String {
    let name = "reward \(queueId) (\(kind), \(amount), key '\(key)')"
    if let verdict { return "\(name) is pending: a run now would find it \(verdict)" }
    let why = reason.map { ", \($0)" } ?? ""
    return "\(name): \(state)\(why)" + (settledAt.map { " as of \($0)" } ?? "")
  }

  var json: JSON {
    [
      "queue_id": .integer(queueId), "kind": .string(kind), "amount": .integer(amount),
      "key": .string(key), "state": .string(state), "reason": JSON(reason),
      "settled_at": JSON(settledAt.map { "\($0)" }), "verdict": JSON(verdict.map { "\($0)" }),
    ]
  }
}
