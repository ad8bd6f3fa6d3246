import JobKit
import LocalTime
import Postgres

/// Reads the attempts of learners by patterns, as of an instant: one row for each pattern that is measured.
///
/// Who has done little, which is nearly everybody, is read from end to end, in the order of the key's
/// index. Of who has done more each pattern is found by a step through that index, and its latest attempts
/// by another: however much a learner has done, not much more is read than is measured.
struct StandingsReader {
  let moment: Instant
  let patterns: ReviewPatterns

  private var rules: ReviewRules { patterns.rules }

  /// How many attempts are read faster from end to end than by steps.
  static let little = 500

  /// What reads the attempts at these patterns in a transaction, and where they are not all what is known of the
  /// others; compiling the statements would take as long as running them.
  func statements(of tried: TriedPatterns, by ids: [Int]) -> [Statement] {
    guard !ids.isEmpty else { return [Self.withoutCompiling] }
    guard tried.patterns != nil else { return [Self.withoutCompiling, fromTheBeginning(tried)] }
    return [PlanSettings.byIndex, fromTheBeginning(tried), Self.known(of: ids, besides: tried)]
  }

  private static let withoutCompiling: Statement = "SELECT set_config('jit', 'off', true)"

  /// The rows that these statements found, for ``Standings``.
  static func rows(in read: [Rows]) -> some Sequence<Row> {
    read.dropFirst().joined()
  }

  /// The measures of these learners but for those that are made anew: without answers.
  private static func known(of ids: [Int], besides tried: TriedPatterns) -> Statement {
    """
    SELECT user_id, pattern_id, NULL::text, measured_at, ewma, hint_rate, first_try_rate, conquest, attempts,
      week_before, trend, box, due_on
    FROM learning.pattern_conquest AS known
    WHERE user_id = ANY(\(ids)) AND NOT EXISTS (
      SELECT FROM \(tried.rows) WHERE learner.user_id = known.user_id AND tried = pattern_id)
    """
  }

  /// All attempts at these patterns; of whatever was tried more than a little, one attempt more than that.
  ///
  /// Moments are told where a box depends on them. Else it is enough to know how many answers there were a week
  /// before the newest, and when the latest of those that are measured was received.
  func fromTheBeginning(_ tried: TriedPatterns) -> Statement {
    """
    SELECT learner.user_id, attempt.* FROM \(tried.rows) CROSS JOIN LATERAL (
      SELECT \(tried.pattern) AS pattern_id, string_agg(digit, ''),
        width_bucket(\(weekBefore), array_agg(answered_at)),
        CASE WHEN count(*) <= \(rules.latest) THEN max(received_at) ELSE (
          SELECT max(received_at) FROM (
            SELECT received_at FROM learning.attempts AS latest
            WHERE latest.user_id = learner.user_id AND latest.pattern_id = \(tried.pattern) AND \(isKnown)
            ORDER BY answered_at DESC, attempt_id DESC LIMIT \(rules.latest)) AS latest) END,
        NULL::text, NULL::text,
        CASE WHEN \(tried.pattern) = ANY(\(patterns.boxed.sorted())) THEN array_agg(answered_at) END
      FROM (
        SELECT pattern_id, answered_at, received_at, \(Self.digit) AS digit FROM learning.attempts
        WHERE user_id = learner.user_id AND \(tried.areMeant) AND \(isKnown)
        ORDER BY pattern_id, answered_at, attempt_id LIMIT \(Self.little + 1)
      ) AS attempt
      \(tried.grouping)
    ) AS attempt
    """
  }

  /// The moment before which is looked for a trend: a phone's clock may show one with no such moment before it.
  private var weekBefore: Statement {
    """
    CASE WHEN max(answered_at) >= '4714-11-24 00:00:00Z BC'::timestamptz + \(week)
      THEN max(answered_at) - \(week) ELSE '-infinity' END
    """
  }

  /// How long that is before the newest attempt, in hours: what an interval of days comes to depends on a session's
  /// zone.
  private var week: Statement { "make_interval(hours => \(rules.trendDays * 24)::integer)" }

  /// Whether an attempt can be, and was received by then.
  private var isKnown: Statement {
    "\(PhoneClock.canShow("answered_at", receivedAt: "received_at")) AND received_at <= \(moment)"
  }

  /// The latest attempts at each of these patterns, and those of a week before.
  func bySteps(_ tried: TriedPatterns) -> Statement {
    """
    WITH RECURSIVE tried (user_id, pattern_id) AS (\(tried.patterns == nil ? Self.steps(tried) : tried.all))
    SELECT user_id, pattern_id, latest.digits, 0, latest.measured_at, coalesce(earlier.digits, ''),
      since.digits, since.answered
    FROM tried
    CROSS JOIN LATERAL (
      SELECT string_agg(digit, '') AS digits, max(received_at) AS measured_at,
        \(weekBefore) AS week_before
      FROM (\(latest("true"))) AS attempt
    ) AS latest
    CROSS JOIN LATERAL (
      SELECT string_agg(digit, '') AS digits
      FROM (\(latest("answered_at <= latest.week_before"))) AS attempt
    ) AS earlier
    CROSS JOIN LATERAL (\(sinceAWrongOne)) AS since
    WHERE pattern_id IS NOT NULL AND latest.digits IS NOT NULL
    """
  }

  /// Whatever these learners have tried, found pattern by pattern.
  private static func steps(_ tried: TriedPatterns) -> Statement {
    """
    SELECT learner.user_id, (SELECT min(pattern_id) FROM learning.attempts AS attempt
      WHERE attempt.user_id = learner.user_id)
    FROM \(tried.rows)
    UNION ALL
    SELECT user_id, (SELECT min(pattern_id) FROM learning.attempts AS attempt
      WHERE attempt.user_id = tried.user_id AND attempt.pattern_id > tried.pattern_id)
    FROM tried WHERE pattern_id IS NOT NULL
    """
  }

  /// The latest attempts at a pattern that was tried, newest last.
  private func latest(_ condition: Statement) -> Statement {
    """
    SELECT * FROM (
      SELECT answered_at, attempt_id, received_at, \(Self.digit) AS digit FROM learning.attempts
      WHERE user_id = tried.user_id AND pattern_id = tried.pattern_id AND \(isKnown) AND \(condition)
      ORDER BY answered_at DESC, attempt_id DESC LIMIT \(rules.latest)
    ) AS latest ORDER BY answered_at, attempt_id
    """
  }

  /// What the box of a pattern depends on, newest last: a wrong answer puts it into the first box, whatever
  /// came before.
  private var sinceAWrongOne: Statement {
    let areOfPattern: Statement = """
      user_id = tried.user_id AND pattern_id = tried.pattern_id
        AND tried.pattern_id = ANY(\(patterns.boxed.sorted())) AND \(isKnown)
      """
    return """
      SELECT string_agg(digit, '') AS digits, array_agg(answered_at) AS answered
      FROM (
        SELECT answered_at, \(Self.digit) AS digit FROM learning.attempts
        WHERE \(areOfPattern) AND answered_at >= coalesce((
          SELECT max(answered_at) FROM learning.attempts WHERE \(areOfPattern) AND NOT correct), '-infinity')
        ORDER BY answered_at, attempt_id
      ) AS answer
      """
  }

  /// What ``Answers`` reads: 1 for a right answer, 2 for a hint and 4 for the first try, added up.
  private static let digit: Statement = """
    CASE WHEN correct
      THEN CASE WHEN hint_used THEN CASE WHEN first_try THEN '7' ELSE '3' END
        WHEN first_try THEN '5' ELSE '1' END
      ELSE CASE WHEN hint_used THEN CASE WHEN first_try THEN '6' ELSE '2' END
        WHEN first_try THEN '4' ELSE '0' END END
    """
}
