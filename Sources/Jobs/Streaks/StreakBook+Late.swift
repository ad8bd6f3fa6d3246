import JobKit
import LocalTime
import Postgres

extension StreakBook {
  /// The book of a run, which knows what has arrived too late for a short look back.
  init(
    of job: JobName, by rules: StreakRules, asOf moment: Instant, in context: borrowing JobContext
  ) throws {
    // That job looks at every session; this may be another.
    let mark = try Watermark.slowest(of: JobDefinition.detectStreakBreaks.name, in: context)
    self.rules = rules
    self.job = job
    self.moment = moment
    zones = KnownZones(of: context.zones)
    readsAll = mark == nil || context.arguments["full"] == "true"
    guard let mark, !readsAll else {
      (lateLearners, news) = ([], LearnerList([]))
      return
    }
    lateLearners = Set(
      try context.look(Self.lateLearners(since: mark, asOf: moment)).map { try $0[0] })
    news = try LearnerList(DetectStreakBreaks.news(since: mark, asOf: moment), in: context)
  }

  /// The learners of whom there is news that no streak knows of yet, or nothing when that may be anybody.
  ///
  /// At all others the job that looks at every session has looked since.
  static func learnersWithNews(
    asOf moment: Instant, in context: borrowing JobContext
  ) throws -> LearnerList? {
    let mark = try Watermark.slowest(of: JobDefinition.detectStreakBreaks.name, in: context)
    guard let mark, context.arguments["full"] != "true" else { return nil }
    return try LearnerList(DetectStreakBreaks.learners(since: mark, asOf: moment), in: context)
  }

  /// Who has new sessions that a look back over `StreakQuestion.lookBackDays` before the last change may not show.
  ///
  /// A streak may be ahead of the run by up to a day.
  private static func lateLearners(since mark: Watermark, asOf moment: Instant) -> Statement {
    """
    SELECT DISTINCT user_id FROM learning.sessions
    WHERE \(mark.isNew("server_received_at", "written_in")) AND completed AND (
      ended_at < \(moment)::timestamptz - interval '1 day' * \(StreakQuestion.lookBackDays - 1)
      OR server_received_at <= \(mark.seenUntil)::timestamptz AND (
        server_received_at <= \(mark.seenUntil)::timestamptz - interval '1 day'
        OR local_day < (server_received_at AT TIME ZONE 'UTC')::date - 1))
    """
  }
}

extension Watermark {
  /// Where all parts of a job have been; nothing as long as one of them has never read anything.
  fileprivate static func slowest(
    of job: JobName, in context: borrowing JobContext
  ) throws -> Watermark? {
    let marks = try context.look(
      """
      SELECT min(seen_until), min(seen_in) FROM learning.watermarks
      WHERE job = \(job) GROUP BY parts HAVING count(*) = parts ORDER BY 1 DESC LIMIT 1
      """)
    guard let row = marks.first else { return nil }
    return Watermark(seenUntil: try row[0], seenIn: try row[1], ahead: try ahead(in: context))
  }
}
