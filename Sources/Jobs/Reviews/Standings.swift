import JobKit
import LocalTime
import Postgres

/// How learners stand with the patterns that they have tried, as of an instant.
struct Standings {
  /// The standings of each learner.
  let ofLearner: [Int: [Standing]]
}

extension Standings {
  /// Measures the patterns of these learners.
  ///
  /// Each pattern of a learner is found by a step through the key's index, and its latest attempts by
  /// another: however much a learner has done, no more is read than is measured. Windows over all of
  /// the attempts take twice as long even where those are thirty.
  static func measure(
    _ ids: [Int], as moment: Instant, patterns: ReviewPatterns, on connection: borrowing Connection
  ) throws -> Standings {
    let rows = try connection.run(
      query(ids, until: moment, boxed: patterns.boxed, under: patterns.rules))
    var standings: [Int: [Standing]] = [:]
    for row in rows {
      guard let standing = try Standing(row, under: patterns.rules) else { continue }
      standings[try row[0], default: []].append(standing)
    }
    return Standings(ofLearner: standings)
  }

  static func query(
    _ ids: [Int], until moment: Instant, boxed: [Int], under rules: ReviewRules
  ) -> Statement {
    // The hours of so many days: what an interval of days comes to depends on a session's zone.
    let hours = rules.trendDays * 24
    return """
      WITH RECURSIVE tried (user_id, pattern_id) AS (
        SELECT learner.user_id, (SELECT min(pattern_id) FROM learning.attempts AS attempt
          WHERE attempt.user_id = learner.user_id)
        FROM unnest(\(ids)) AS learner (user_id)
        UNION ALL
        SELECT user_id, (SELECT min(pattern_id) FROM learning.attempts AS attempt
          WHERE attempt.user_id = tried.user_id AND attempt.pattern_id > tried.pattern_id)
        FROM tried WHERE pattern_id IS NOT NULL
      )
      SELECT user_id, pattern_id, latest.digits, earlier.digits, latest.received_at, boxed.days, boxed.digits
      FROM tried
      CROSS JOIN LATERAL (
        SELECT string_agg(digit, '') AS digits, max(received_at) AS received_at,
          max(answered_at) - make_interval(hours => \(hours)::integer) AS week_before
        FROM (\(attempts(until: moment, "true", rules))) AS attempt
      ) AS latest
      CROSS JOIN LATERAL (
        SELECT string_agg(digit, '') AS digits
        FROM (\(attempts(until: moment, "answered_at <= latest.week_before", rules))) AS attempt
      ) AS earlier
      CROSS JOIN LATERAL (\(answersSinceAWrongOne(until: moment, to: boxed))) AS boxed
      WHERE pattern_id IS NOT NULL AND latest.digits IS NOT NULL
      """
  }

  /// What a pattern's box depends on, newest first: a wrong answer puts it into the first box, whatever
  /// came before.
  private static func answersSinceAWrongOne(until moment: Instant, to boxed: [Int]) -> Statement {
    let areOfPattern: Statement = """
      user_id = tried.user_id AND pattern_id = tried.pattern_id AND tried.pattern_id = ANY(\(boxed))
        AND answered_at <= received_at AND received_at <= \(moment)
      """
    return """
      SELECT string_agg(digit, '') AS digits, array_agg(day) AS days
      FROM (
        SELECT correct::integer::text AS digit, floor(extract(epoch FROM answered_at) / 86400)::integer AS day
        FROM learning.attempts
        WHERE \(areOfPattern) AND answered_at >= coalesce((
          SELECT max(answered_at) FROM learning.attempts WHERE \(areOfPattern) AND NOT correct), '-infinity')
        ORDER BY answered_at DESC, attempt_id DESC
      ) AS answer
      """
  }

  /// The latest attempts at a pattern that was tried, newest first; a digit says how each went.
  private static func attempts(
    until moment: Instant, _ condition: Statement, _ rules: ReviewRules
  ) -> Statement {
    """
    SELECT answered_at, received_at,
      (correct::integer + 2 * hint_used::integer + 4 * first_try::integer)::text AS digit
    FROM learning.attempts
    WHERE user_id = tried.user_id AND pattern_id = tried.pattern_id
      AND answered_at <= received_at AND received_at <= \(moment) AND \(condition)
    ORDER BY answered_at DESC, attempt_id DESC LIMIT \(rules.latest)
    """
  }
}

extension Standing {
  fileprivate init?(_ row: Row, under rules: ReviewRules) throws(PostgresError) {
    let answers = Answer.answers(in: try row[2])
    guard let measure = Measure(answers, under: rules) else { return nil }
    let earlier = Answer.answers(in: try row[3, as: String?.self] ?? "")
    let weekBefore = Measure(earlier, under: rules)?.conquest
    let days = try row[5, as: [Int]?.self]?.map { CivilDate(dayNumber: $0) }
    let boxed = Answer.answers(in: try row[6, as: String?.self] ?? "")
    self.init(
      pattern: try row[1], measure: measure, weekBefore: weekBefore,
      trend: Trend(from: weekBefore, to: measure.conquest, under: rules),
      box: days.flatMap { LeitnerBox(boxed, on: $0, under: rules) }, measuredAt: try row[4])
  }
}
