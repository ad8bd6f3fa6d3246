import JobKit
import LocalTime
import Postgres

/// What widgets show, as of an instant.
struct WidgetSnapshots {
  let asOf: Instant
  let zones: ZoneTable
  let rules: WidgetRules
}

extension WidgetSnapshots {
  /// Renews what the widgets of these learners show; returns how many show something else.
  ///
  /// The lines that say what has changed are deleted first: a change that is about to be committed is
  /// then waited for and seen, and one that comes later leaves a new line.
  func refresh(_ ids: [Int], on connection: borrowing Connection) throws(PostgresError) -> Int {
    try connection.run(
      """
      DELETE FROM learning.widget_changes WHERE user_id IN (
        SELECT user_id FROM learning.widget_changes WHERE user_id = ANY(\(ids))
        ORDER BY user_id FOR UPDATE)
      """)
    return try connection.run(statement(for: ids)).affected
  }

  /// What some of the widgets show that were renewed just now.
  func examples(of ids: [Int], on connection: borrowing Connection) throws -> [String] {
    try connection.run(
      """
      SELECT user_id, local_day, sentences_remaining, streak, tokens FROM learning.widget_snapshots
      WHERE user_id = ANY(\(ids)) AND updated_at = \(asOf) ORDER BY user_id LIMIT 10
      """
    ).map { row in
      let (user, day): (Int, CivilDate) = (try row[0], try row[1])
      let (sentences, streak, tokens): (Int, Int, Int) = (try row[2], try row[3], try row[4])
      return "learner \(user): would see \(day), \(sentences) sentences remaining,"
        + " a streak of \(streak), \(tokens) tokens"
    }
  }

  func statement(for ids: [Int]) -> Statement {
    """
    INSERT INTO learning.widget_snapshots AS shown
      (user_id, local_day, sentences_remaining, streak, tokens, updated_at)
    SELECT users.user_id, zone.local_day, remaining.sentences, coalesce(streaks.length, 0),
      coalesce(brain_tokens.balance, 0), \(asOf)
    FROM learning.users
    JOIN \(zones.rows) ON zone.name = users.zone
    LEFT JOIN learning.streaks ON streaks.user_id = users.user_id
    LEFT JOIN learning.brain_tokens ON brain_tokens.user_id = users.user_id
    CROSS JOIN LATERAL (\(remaining)) AS remaining
    LEFT JOIN learning.widget_snapshots AS known ON known.user_id = users.user_id
    WHERE users.user_id = ANY(\(ids))
      AND (known.local_day, known.sentences_remaining, known.streak, known.tokens) IS DISTINCT FROM
        (zone.local_day, remaining.sentences, coalesce(streaks.length, 0), coalesce(brain_tokens.balance, 0))
    ON CONFLICT (user_id) DO UPDATE
    SET (local_day, sentences_remaining, streak, tokens, updated_at) = (excluded.local_day,
      excluded.sentences_remaining, excluded.streak, excluded.tokens, excluded.updated_at)
    """
  }

  /// The sentences that are left of today.
  ///
  /// A date is over everywhere 50 hours after it has begun somewhere, so no study of today is older, and
  /// years of studies are not read for it.
  private var remaining: Statement {
    """
    SELECT greatest(0, \(rules.sentences) - coalesce(sum(sentences), 0))::smallint AS sentences
    FROM learning.sessions
    WHERE sessions.user_id = users.user_id AND completed AND sessions.local_day = zone.local_day
      AND ended_at > \(asOf.advanced(bySeconds: -50 * 3600)) AND \(Study.canBe("sessions"))
      AND server_received_at <= \(asOf)
    """
  }

  /// Puts learners aside whose zone nobody knows, and who have no day; returns how many are new.
  func quarantine(
    _ ids: [Int], by job: JobName, on connection: borrowing Connection
  ) throws(PostgresError) -> Int {
    try connection.run(
      """
      INSERT INTO learning.quarantine (user_id, source, row_key, reason, found_at, found_by)
      SELECT user_id, 'users', '', 'unknown_zone', \(asOf), \(job)
      FROM learning.users LEFT JOIN \(zones.rows) ON zone.name = users.zone
      WHERE user_id = ANY(\(ids)) AND zone.name IS NULL
      ON CONFLICT (user_id, source, row_key) DO NOTHING
      """
    ).affected
  }
}
