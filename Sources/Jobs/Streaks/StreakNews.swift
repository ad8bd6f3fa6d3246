import JobKit
import LocalTime
import Postgres

/// Of whom something has arrived that their streaks do not know of yet.
struct StreakNews {
  let learners: LearnerList

  /// Those of them whom only the whole history tells what it means.
  let late: Set<Int>

  /// What was received after it may be news; what was before is late.
  let from: Instant?

  init(_ learners: LearnerList, late: Set<Int> = [], from: Instant? = nil) {
    (self.learners, self.late, self.from) = (learners, late, from)
  }

  /// Whose studies, repairs or zone are news, of the learners of this part.
  init(since mark: Watermark, asOf moment: Instant, in context: borrowing JobContext) throws {
    let lists = try context.query(
      """
      SELECT coalesce(array_agg(user_id ORDER BY user_id), '{}'),
        coalesce(array_agg(user_id) FILTER (WHERE is_late), '{}')
      FROM (SELECT user_id, bool_or(is_late) AS is_late
        FROM (\(Self.query(since: mark, asOf: moment))) AS found
        WHERE \(context.share(of: "user_id")) GROUP BY user_id) AS learner
      """
    ).only
    learners = LearnerList(try lists[0])
    late = Set(try lists[1, as: [Int].self])
    from = mark.seenUntil - .seconds(Self.recentDays * 86_400)
  }

  /// A row for each piece of news, which says whether it may lie further back than is looked.
  static func query(since mark: Watermark, asOf moment: Instant) -> Statement {
    """
    SELECT user_id, \(isLate(since: mark, asOf: moment)) AS is_late FROM learning.sessions
    WHERE \(mark.isNew("server_received_at", "written_in")) AND completed
      AND server_received_at <= \(moment)
    UNION ALL
    SELECT user_id, false FROM learning.streak_repairs
    WHERE state = 'accepted' AND accepted_at <= \(moment)
    UNION ALL
    SELECT user_id, false FROM learning.users
    WHERE \(mark.isNew("changed_at", "written_in")) AND changed_at <= \(moment)
    """
  }

  /// How long before a job has last looked something may have been received that is not late.
  private static let recentDays = 1

  /// Whether a look back over `StreakQuestion.lookBackDays` before the last change may not show a new session.
  ///
  /// A streak may be ahead of the run by up to a day.
  private static func isLate(since mark: Watermark, asOf moment: Instant) -> Statement {
    """
    (ended_at < \(moment)::timestamptz - interval '1 day' * \(StreakQuestion.lookBackDays - 1)
      OR server_received_at <= \(mark.seenUntil)::timestamptz AND (
        server_received_at <= \(mark.seenUntil)::timestamptz - interval '1 day' * \(recentDays)
        OR local_day < (server_received_at AT TIME ZONE 'UTC')::date - 1))
    """
  }
}

extension Watermark {
  /// Where all parts of a job have been; nothing as long as one of them has never read anything.
  static func slowest(of job: JobName, in context: borrowing JobContext) throws -> Watermark? {
    let marks = try context.query(
      """
      SELECT min(seen_until), min(seen_in), pg_snapshot_xmax(pg_current_snapshot())::text::bigint
      FROM learning.watermarks
      WHERE job = \(job) GROUP BY parts HAVING count(*) = parts ORDER BY 1 DESC LIMIT 1
      """)
    guard let row = marks.first else { return nil }
    return Watermark(seenUntil: try row[0], seenIn: try row[1], ahead: try row[2])
  }
}
