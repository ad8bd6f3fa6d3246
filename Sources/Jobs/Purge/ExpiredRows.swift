import LocalTime
import Postgres

/// The rows of learners that were kept for long enough as of an instant.
struct ExpiredRows {
  /// The first local day of which pushes are kept, and of which reviews are.
  let firstPushDay: CivilDate
  let firstReviewDay: CivilDate

  /// A local day may end a day later than in UTC, so one more is kept.
  init(at moment: Instant, by rules: PurgeRules) {
    func firstDay(after kept: Duration) -> CivilDate {
      Zone.utc.localDay(of: moment - kept).advanced(by: -1)
    }
    (firstPushDay, firstReviewDay) = (firstDay(after: rules.pushes), firstDay(after: rules.reviews))
  }

  /// Which rows `push` may go: one that waits, or that no sweep has closed, is not over.
  var isOldPush: Statement {
    """
    (push.local_day < \(firstPushDay) AND push.state NOT IN ('planned', 'sending')
      AND (push.ended_at IS NOT NULL OR push.state NOT IN ('sent', 'uncertain')))
    """
  }

  /// How many there are of the learners in a share.
  ///
  /// Each learner's old rows are the first of them in the primary key: to ask for each reads these alone, and
  /// not the year that is kept.
  func count(of share: Statement) -> Statement {
    """
    SELECT coalesce(sum(pushes.count + reviews.count), 0)::bigint FROM learning.users
    CROSS JOIN LATERAL (
      SELECT count(*) FROM learning.notifications AS push
      WHERE push.user_id = users.user_id AND \(isOldPush)) AS pushes
    CROSS JOIN LATERAL (
      SELECT count(*) FROM learning.reviews AS review
      WHERE review.user_id = users.user_id AND review.local_day < \(firstReviewDay)) AS reviews
    WHERE \(share)
    """
  }

  /// Deletes the pushes of these learners and what happened to them, and tells which they were.
  func deletePushes(of ids: [Int], on connection: borrowing Connection) throws -> [PushName] {
    let gone = try connection.run(
      """
      DELETE FROM learning.notifications AS push WHERE push.user_id = ANY(\(ids)) AND \(isOldPush)
      RETURNING push.user_id, push.local_day
      """
    ).map { PushName(learner: try $0[0], day: try $0[1]) }
    try connection.run(
      """
      DELETE FROM learning.notification_events AS event
      WHERE event.user_id = ANY(\(ids)) AND event.local_day < \(firstPushDay) AND NOT EXISTS (
        SELECT FROM learning.notifications AS push
        WHERE push.user_id = event.user_id AND push.local_day = event.local_day)
      """)
    return gone
  }

  /// Deletes the reviews of these learners; tells how many.
  func deleteReviews(of ids: [Int], on connection: borrowing Connection) throws -> Int {
    try connection.run(
      """
      DELETE FROM learning.reviews WHERE user_id = ANY(\(ids)) AND local_day < \(firstReviewDay)
      """
    ).affected
  }
}
