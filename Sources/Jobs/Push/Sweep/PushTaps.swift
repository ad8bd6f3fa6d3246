import JobKit
import Postgres

/// The taps that a round of the sweep has to read.
struct PushTaps {
  let scan: IncrementalScan

  /// Whether all are read, and not those alone that are new.
  let isFull: Bool

  /// Who has tapped, some of them more than once.
  var learners: Statement {
    "SELECT user_id FROM learning.notification_events AS tap WHERE \(areRead)"
  }

  private var areRead: Statement {
    let isNew: Statement =
      isFull ? "tap.at <= \(scan.asOf)" : scan.isNew("tap.at", "tap.written_in")
    return "(tap.event = 'push_opened' AND \(isNew))"
  }

  /// Turns what these learners have tapped into `opened`, of what was sent; tells of each push.
  func open(of ids: [Int], on connection: borrowing Connection) throws -> [PushName] {
    try connection.run(
      """
      UPDATE learning.notifications AS push
      SET state = 'opened', reason = NULL, ended_at = tap.at
      FROM (
        SELECT tap.user_id, tap.local_day, tap.at FROM learning.notification_events AS tap
        JOIN learning.notifications AS push USING (user_id, local_day)
        WHERE tap.user_id = ANY(\(ids)) AND \(areRead)
          AND push.state IN ('sent', 'uncertain', 'ignored')
        ORDER BY user_id, local_day FOR UPDATE OF push
      ) AS tap
      WHERE push.user_id = tap.user_id AND push.local_day = tap.local_day
      RETURNING push.user_id, push.local_day
      """
    ).map { PushName(learner: try $0[0], day: try $0[1]) }
  }
}
