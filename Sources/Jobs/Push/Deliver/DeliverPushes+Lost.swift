import JobKit
import LocalTime
import Postgres
import Push

extension DeliverPushes {
  /// Writes off pushes whose owner is gone: nobody knows whether they left.
  static func giveUp(
    _ share: Statement, before moment: Instant, on connection: borrowing Connection
  ) throws -> Counters {
    let lost = try connection.run(
      """
      WITH lost AS (
        UPDATE learning.notifications AS push
        SET state = 'uncertain', reason = 'worker_lost', owner = NULL, sent_at = sending_at
        WHERE state = 'sending' AND \(PushClaim.areOpen) AND due_at <= \(moment)
          AND \(share) AND \(PushOwner.isGone)
        RETURNING provider
      )
      SELECT provider, count(*) FROM lost GROUP BY provider ORDER BY provider
      """)
    var counts = Counters()
    for row in lost {
      counts.count("uncertain", try row[1])
      guard let provider = try row[0, as: String?.self] else { continue }
      counts.count(provider, because: "uncertain", try row[1])
    }
    return counts
  }
}
