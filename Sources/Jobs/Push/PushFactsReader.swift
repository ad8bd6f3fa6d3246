import JobKit
import LocalTime
import Postgres

/// Reads what is known of learners, a few thousand at once: one row for each learner, and one for each
/// day around today that has a push.
struct PushFactsReader {
  let moment: Instant
  let rules: PushRules

  /// What is new since the last run; nothing: nobody asks.
  let mark: Watermark?

  /// How far back studies are read: farther than any habit reaches, by whatever zone.
  private var studyDays: Int { rules.habitDays + 7 }

  /// How far back the days are read that a push may have been decided for.
  private static let rowDays = 4

  func facts(of users: [Int], on connection: borrowing Connection) throws -> [PushFacts] {
    let read = try connection.pipeline(statements(of: users))
    var batch = PushFactsBatch(of: users, read)
    return try batch.learners.map { row in try batch.facts(in: row) }
  }

  /// What reads the facts of learners, for a ``PushFactsBatch``, in a transaction.
  func statements(of users: [Int]) -> [Statement] {
    [Self.plainPlans, pushes(of: users), learners(users)]
  }

  /// Every learner is looked up once: what is remembered is never asked for again, and what is compiled runs
  /// for less time than that takes.
  private static let plainPlans: Statement =
    "SELECT set_config('jit', 'off', true), set_config('enable_memoize', 'off', true)"

  private func pushes(of users: [Int]) -> Statement {
    """
    SELECT user_id, local_day, state, kind, planned_at, evidence_at, window_to,
      CASE WHEN state IN ('sending', 'sent', 'opened', 'ignored', 'uncertain')
        THEN coalesce(sent_at, sending_at, due_at) END
    FROM learning.notifications
    WHERE \(IDRange(users).holds("user_id")) AND local_day >= \(day(before: Self.rowDays))
    ORDER BY user_id, local_day
    """
  }

  private func day(before days: Int) -> CivilDate {
    Zone.utc.localDay(of: moment).advanced(by: -days)
  }

  private func instant(daysBefore days: Int) -> Instant {
    moment.advanced(bySeconds: -86_400 * days)
  }

  private func isNew(_ received: Statement, _ written: Statement) -> Statement {
    mark?.isNew(received, written) ?? "false"
  }
}

extension PushFactsReader {
  /// A row for each learner, in their order.
  ///
  /// What there is of each is gathered in the order of an index, once for all of them, and then joined: to
  /// begin a search for each learner anew takes twice as long.
  func learners(_ users: [Int]) -> Statement {
    let span = IDRange(users)
    return """
      SELECT users.user_id, zone, locale, \(PushEligibility.columns(of: "users")),
        coalesce(device.is_valid, false), quiet_from, quiet_to, preferred_minute, users.changed_at,
        \(isNew("users.changed_at", "users.written_in")) OR coalesce(device.is_new, false),
        \(Self.list("recent.ends", then: "latest.ended_at")),
        \(Self.list("recent.days", then: "latest.local_day")),
        coalesce(recent.has_bad, false), opened.thirds, streaks.state, length,
        review.days, review.patterns, look_at, looked_at, opened.handed, last_day
      FROM learning.users
      LEFT JOIN learning.streaks
        ON streaks.user_id = users.user_id AND \(span.mayHold("streaks.user_id"))
      LEFT JOIN learning.push_agenda
        ON push_agenda.user_id = users.user_id AND \(span.mayHold("push_agenda.user_id"))
      LEFT JOIN (\(devices(of: span))) AS device ON device.user_id = users.user_id
      LEFT JOIN (\(recentStudies(of: span))) AS recent ON recent.user_id = users.user_id
      LEFT JOIN LATERAL (\(latestStudy)) AS latest ON true
      LEFT JOIN (\(openedPushes(of: span))) AS opened ON opened.user_id = users.user_id
      LEFT JOIN (\(reviews(of: span))) AS review ON review.user_id = users.user_id
      WHERE \(span.holds("users.user_id")) AND created_at <= \(moment)
      ORDER BY users.user_id
      """
  }

  private func devices(of span: IDRange) -> Statement {
    """
    SELECT user_id,
      bool_or(registered_at <= \(moment) AND coalesce(invalidated_at > \(moment), true)) AS is_valid,
      bool_or(\(isNew("registered_at", "written_in"))) AS is_new
    FROM learning.devices WHERE \(span.mayHold("user_id")) GROUP BY user_id
    """
  }

  private var isStudy: Statement { Study.canBe("sessions") }

  /// In the order of an index, which aggregates keep: to sort takes longer than to read.
  private func recentStudies(of span: IDRange) -> Statement {
    """
    SELECT user_id, array_agg(ended_at) FILTER (WHERE is_study) AS ends,
      array_agg(local_day) FILTER (WHERE is_study) AS days, bool_or(NOT is_study) AS has_bad
    FROM (
      SELECT user_id, ended_at, local_day, \(isStudy) AS is_study FROM learning.sessions
      WHERE \(span.holds("user_id")) AND completed AND ended_at > \(instant(daysBefore: studyDays))
        AND server_received_at <= \(moment)
      ORDER BY user_id, ended_at DESC
    ) AS study
    GROUP BY user_id
    """
  }

  /// The latest study before those of the last weeks, of whoever has none of these but in the last days: a day
  /// before them that was overlooked has to go by something.
  private var latestStudy: Statement {
    """
    SELECT ended_at, local_day FROM learning.sessions
    WHERE coalesce(recent.days[cardinality(recent.days)] >= \(day(before: Self.rowDays)), true)
      AND user_id = users.user_id AND completed AND \(isStudy)
      AND ended_at <= \(instant(daysBefore: studyDays)) AND server_received_at <= \(moment)
    ORDER BY ended_at DESC LIMIT 1
    """
  }

  private static func list(_ elements: Statement, then last: Statement) -> Statement {
    "CASE WHEN \(last) IS NULL THEN \(elements) ELSE array_append(\(elements), \(last)) END"
  }

  /// In which third of its window each push was due that was opened, and each that was sent where enough
  /// were opened for a learner to have a favourite.
  private func openedPushes(of span: IDRange) -> Statement {
    """
    SELECT user_id, thirds,
      CASE WHEN cardinality(thirds) >= \(rules.opens) THEN (\(handedPushes)) END AS handed
    FROM (
      SELECT user_id, array_agg(\(Self.third)) AS thirds
      FROM learning.notification_events AS event
      JOIN learning.notifications AS push USING (user_id, local_day)
      WHERE \(span.holds("user_id")) AND event.event = 'push_opened'
        AND event.local_day >= \(day(before: rules.openDays + 2))
        AND event.at > \(instant(daysBefore: rules.openDays)) AND event.at <= \(moment) AND \(wasHandedOver)
      GROUP BY user_id
    ) AS opened
    """
  }

  private var handedPushes: Statement {
    """
    SELECT array_agg(\(Self.third)) FROM learning.notifications AS push
    WHERE push.user_id = opened.user_id AND push.local_day >= \(day(before: rules.openDays + 2))
      AND \(wasHandedOver)
    """
  }

  private static let third: Statement = """
    least(2, floor(3 * extract(epoch FROM due_at - window_from)
      / extract(epoch FROM window_to - window_from)))::integer
    """

  /// Whether a push left in the last weeks, in a window that has thirds.
  private var wasHandedOver: Statement {
    """
    (push.state IN ('sent', 'opened', 'ignored', 'uncertain')
      AND push.sent_at > \(instant(daysBefore: rules.openDays)) AND push.sent_at <= \(moment)
      AND window_from <= due_at AND due_at < window_to)
    """
  }

  /// The weakest pattern that is open of each day, and none where there is none any more: else that of an earlier
  /// day would be named, which stays open when its pattern is reviewed on a later one.
  ///
  /// The rank leads a number that the pattern ends, counted from the least there can be: of numbers Postgres finds the
  /// least sooner than of rows.
  private func reviews(of span: IDRange) -> Statement {
    """
    SELECT user_id, array_agg(local_day) AS days, array_agg(code) AS patterns
    FROM (
      SELECT user_id, local_day,
        (min(rank::bigint << 32 | pattern_id::bigint + 2147483648) FILTER (WHERE state = 'open' AND NOT locked)
          & 4294967295) - 2147483648 AS pattern_id
      FROM learning.reviews
      WHERE \(span.holds("user_id")) AND local_day >= \(day(before: rules.reviewDays + 2))
        AND at <= \(moment)
      GROUP BY user_id, local_day
    ) AS review
    LEFT JOIN learning.patterns USING (pattern_id)
    GROUP BY user_id
    """
  }
}
