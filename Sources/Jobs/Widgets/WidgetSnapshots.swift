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
  /// How Postgres is to go about a chunk: along the indexes, whose rows are then merged.
  ///
  /// So lines are locked in the order of the ids, as others lock them; and a table with a row for each learner
  /// is read in one stretch, where to begin a search for each anew takes twice as long.
  static let plans: Statement = """
    SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
      set_config('enable_nestloop', 'off', true)
    """

  /// Renews what the widgets of these learners show, whose ids are in order.
  ///
  /// The lines that say what has changed are deleted first: a change that is about to be committed is
  /// then waited for and seen, and one that comes later leaves a new line.
  func refresh(_ ids: [Int], by job: JobName, on connection: borrowing Connection) throws -> Renewed
  {
    try connection.run(Self.forgetting(ids))
    let row = try write(ids, by: job, on: connection).only
    return Renewed(snapshots: try row[0], quarantined: try row[1])
  }

  static func forgetting(_ ids: [Int]) -> Statement {
    "DELETE FROM learning.widget_changes WHERE user_id = ANY(\(ids))"
  }

  /// Inserts without looking for conflicts at each row, which takes longer, until there was one.
  private func write(_ ids: [Int], by job: JobName, on connection: borrowing Connection) throws
    -> Rows
  {
    do {
      return try connection.savepoint { try $0.run(renewing(ids, by: job)) }
    } catch PostgresError.constraint {
      return try connection.run(renewing(ids, by: job, entering: Self.over))
    }
  }

  /// What is inserted replaces what another run has inserted at the same time.
  private static let over: Statement = """
    ON CONFLICT (user_id) DO UPDATE
    SET (local_day, sentences_remaining, streak, tokens, updated_at) = (excluded.local_day,
      excluded.sentences_remaining, excluded.streak, excluded.tokens, excluded.updated_at)
    """

  /// How many show something else, and how many learners live in a zone that nobody knows, and have no day.
  struct Renewed {
    let snapshots: Int
    let quarantined: Int
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

  func renewing(_ ids: [Int], by job: JobName, entering carefully: Statement = "") -> Statement {
    let span = IDRange(ids)
    return """
      WITH widget AS (\(changes(of: span))
      ), renewed AS (
        UPDATE learning.widget_snapshots AS shown
        SET (local_day, sentences_remaining, streak, tokens, updated_at) =
          (widget.local_day, sentences, widget.streak, widget.tokens, \(asOf))
        FROM widget
        WHERE is_known AND shown.user_id = widget.user_id AND \(span.mayHold("shown.user_id"))
          AND widget.local_day IS NOT NULL
        RETURNING 1
      ), made AS (
        INSERT INTO learning.widget_snapshots
          (user_id, local_day, sentences_remaining, streak, tokens, updated_at)
        SELECT user_id, local_day, sentences, streak, tokens, \(asOf) FROM widget
        WHERE NOT is_known AND local_day IS NOT NULL
        \(carefully)
        RETURNING 1
      ), put_aside AS (
        INSERT INTO learning.quarantine (user_id, source, row_key, reason, found_at, found_by)
        SELECT user_id, 'users', '', 'unknown_zone', \(asOf), \(job) FROM widget WHERE local_day IS NULL
        ON CONFLICT (user_id, source, row_key) DO NOTHING
        RETURNING 1
      )
      SELECT (SELECT count(*) FROM renewed) + (SELECT count(*) FROM made), (SELECT count(*) FROM put_aside)
      """
  }

  /// What widgets should show, of those that show something else; without a day where the zone is unknown.
  private func changes(of span: IDRange) -> Statement {
    """
    SELECT learner.user_id, zone.local_day, remaining.sentences, coalesce(streaks.length, 0) AS streak,
      coalesce(brain_tokens.balance, 0) AS tokens, known.user_id IS NOT NULL AS is_known
    FROM unnest(\(span.ids)) AS learner (user_id)
    JOIN learning.users ON users.user_id = learner.user_id AND \(span.mayHold("users.user_id"))
    LEFT JOIN \(zones.rows) ON zone.name = users.zone
    LEFT JOIN learning.streaks
      ON streaks.user_id = learner.user_id AND \(span.mayHold("streaks.user_id"))
    LEFT JOIN learning.brain_tokens
      ON brain_tokens.user_id = learner.user_id AND \(span.mayHold("brain_tokens.user_id"))
    LEFT JOIN learning.widget_snapshots AS known
      ON known.user_id = learner.user_id AND \(span.mayHold("known.user_id"))
    LEFT JOIN (\(studied(by: span))) AS studied
      ON studied.user_id = learner.user_id AND studied.local_day = zone.local_day
    CROSS JOIN LATERAL (
      SELECT greatest(0, \(rules.sentences) - coalesce(studied.sentences, 0))::smallint AS sentences) AS remaining
    WHERE (known.local_day, known.sentences_remaining, known.streak, known.tokens) IS DISTINCT FROM
      (zone.local_day, remaining.sentences, coalesce(streaks.length, 0), coalesce(brain_tokens.balance, 0))
    ORDER BY learner.user_id
    """
  }

  /// The sentences of the days that may be today.
  ///
  /// A date is over everywhere 50 hours after it has begun somewhere, so no study of today is older. Each
  /// learner's are searched for from there: along the index are years of each.
  private func studied(by span: IDRange) -> Statement {
    """
    SELECT user_id, local_day, sum(sentences) AS sentences FROM learning.sessions
    WHERE \(span.holds("user_id")) AND completed AND server_received_at <= \(asOf)
      AND ended_at > \(asOf.advanced(bySeconds: -50 * 3600)) AND \(Study.canBe("sessions"))
    GROUP BY user_id, local_day
    """
  }
}
