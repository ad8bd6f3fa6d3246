import JobKit
import LocalTime
import Postgres

extension StreakStore {
  /// Makes a row for whoever has begun to study, locks the rows of all, in order, and returns them.
  ///
  /// The offers to repair are locked too: the app turns one into an accepted one at any moment.
  func open(
    _ learners: [Int], on connection: borrowing Connection
  ) throws -> [StreakRow] {
    var rows = try StreakRow.locked(learners, on: connection)
    if rows.count < learners.count {
      try begin(learners, on: connection)
      rows = try StreakRow.locked(learners, on: connection)
    }
    try lockOffers(to: rows.filter(\.isRepairable).map(\.learner), on: connection)
    return rows
  }

  /// Locks what is open of these learners; nobody else has an offer, as `StreakReducer` sees to.
  private func lockOffers(
    to learners: [Int], on connection: borrowing Connection
  ) throws(PostgresError) {
    guard !learners.isEmpty else { return }
    try connection.run(
      """
      SELECT count(*) FROM (SELECT FROM learning.streak_repairs
        WHERE user_id = ANY (\(learners)) AND state IN ('offered', 'accepted')
        ORDER BY user_id, day FOR UPDATE) AS locked
      """)
  }

  private func begin(
    _ learners: [Int], on connection: borrowing Connection
  ) throws(PostgresError) {
    try connection.run(
      """
      INSERT INTO learning.streaks (user_id, state, length, longest, changed_at)
      SELECT user_id, 'none', 0, 0, \(moment) FROM unnest(\(learners)) AS learner (user_id)
      WHERE NOT EXISTS (SELECT FROM learning.streaks WHERE streaks.user_id = learner.user_id)
        AND EXISTS (SELECT FROM learning.sessions AS session
          WHERE session.user_id = learner.user_id AND \(Self.isStudy(at: "\(moment)::timestamptz")))
      ORDER BY user_id
      ON CONFLICT DO NOTHING
      """)
  }

  /// Whether the row `session` is a study that was received by an instant.
  static func isStudy(at instant: Statement) -> Statement {
    """
    session.completed AND \(Study.canBe("session")) AND session.server_received_at <= \(instant)
    """
  }

  /// Decides for each learner who lives in a zone that is known.
  ///
  /// They are read in slices: while it decides for one, the server reads the next.
  mutating func decide(
    for questions: [StreakQuestion], _ findings: inout Findings,
    on connection: borrowing Connection
  ) throws {
    let asked = Dictionary(uniqueKeysWithValues: questions.map { ($0.streak.learner, $0) })
    var (coming, read) = (questions[...], [Rows]())
    repeat {
      let slice = Array(coming.prefix(Self.slice))
      coming = coming.dropFirst(slice.count)
      read = try connection.pipeline(
        slice.isEmpty ? [] : [Self.query(slice).keepingPlan], whileEach: read.joined()
      ) { row in
        if let question = try asked[row[0]] { try decide(question, row, &findings) }
      }
    } while !read.isEmpty
  }

  /// How many learners are read at once.
  private static let slice = 250

  private mutating func decide(
    _ question: StreakQuestion, _ row: Row, _ findings: inout Findings
  ) throws {
    let learner = question.streak.learner
    guard let zone = try zones.zone(named: row[1]) else {
      findings.homeless.append(learner)
      return findings.quarantine.put(
        learner, source: "users", key: "", because: "unknown_zone")
    }
    let facts = try StreakFacts(row, of: question, in: zone, knowing: &zones)
    findings.decide(facts, by: rules)
  }

  /// Removes the rows that were made for learners whose streak nobody can tell.
  func forget(
    _ learners: [Int], on connection: borrowing Connection
  ) throws(PostgresError) {
    guard !learners.isEmpty else { return }
    try connection.run(
      "DELETE FROM learning.streaks WHERE user_id = ANY (\(learners)) AND longest = 0")
  }

  /// A row for each question, in the order in which `StreakFacts` reads them; where there is nothing a list is NULL.
  ///
  /// Who never held a token has no purse, and so neither entries nor repairs, besides days that a move has skipped:
  /// of most learners these are not looked for.
  ///
  /// Each is asked for by itself, which `OFFSET 0` keeps Postgres from making a join of. The plan is kept from
  /// when there were few purses, and all that have come since would be read for each slice.
  static func query(_ questions: [StreakQuestion]) -> Statement {
    """
    SELECT learner.user_id, users.zone, CASE WHEN users.auto_repair THEN users.changed_at END,
      coalesce(purse.balance, 0)::integer,
      (SELECT coalesce(max(number), 0) FROM learning.streak_events AS event
        WHERE event.user_id = learner.user_id),
      (SELECT array_agg(entry) FROM learning.token_entries AS line
        WHERE purse.user_id IS NOT NULL AND line.user_id = learner.user_id),
      repair.days, repair.states, repair.offered, repair.accepted, repair.ended,
      study.days, study.received, reached.starts, reached.days, reached.kinds,
      users.zone_before, users.moved_at, study.ends
    FROM unnest(\(questions.map(\.streak.learner)), \(questions.map(\.since)), \(questions.map(\.upTo)))
      AS learner (user_id, since, up_to)
    CROSS JOIN LATERAL (
      SELECT * FROM learning.users WHERE users.user_id = learner.user_id OFFSET 0) AS users
    LEFT JOIN LATERAL (
      SELECT * FROM learning.brain_tokens AS purse WHERE purse.user_id = learner.user_id OFFSET 0
    ) AS purse ON true
    CROSS JOIN LATERAL (
      SELECT array_agg(day), array_agg(state), array_agg(offered_at), array_agg(accepted_at),
        array_agg(ended_at)
      FROM learning.streak_repairs AS repair
      WHERE (purse.user_id IS NOT NULL OR users.moved_at IS NOT NULL) AND repair.user_id = learner.user_id
    ) AS repair (days, states, offered, accepted, ended)
    CROSS JOIN LATERAL (\(studies)) AS study (days, received, ends)
    CROSS JOIN LATERAL (\(reached)) AS reached (starts, days, kinds)
    ORDER BY learner.user_id
    """
  }

  /// The milestones of a learner whose whole history is read: nothing else asks what older chains were given.
  private static let reached: Statement = """
    SELECT array_agg(started_on), array_agg(days), array_agg(kind)
    FROM learning.awards AS award
    WHERE learner.since IS NULL AND award.user_id = learner.user_id AND reason = 'milestone'
    """

  /// The days of a learner's studies since `since`, and when each was received: to look here for the first
  /// of each day, and to order them, would take as long as to read them.
  ///
  /// When they ended matters only to who has moved, and then of all studies of the streak's last day, which may have
  /// begun a day before it does in UTC.
  private static let studies: Statement = """
    SELECT array_agg(local_day), array_agg(server_received_at),
      array_agg(ended_at) FILTER (WHERE users.moved_at IS NOT NULL)
    FROM learning.sessions AS session
    WHERE session.user_id = learner.user_id AND session.ended_at >= coalesce(
        CASE WHEN users.moved_at IS NULL THEN learner.since
          ELSE greatest(learner.since, '4714-11-25 00:00:00Z BC') - interval '24 hours' END,
        '-infinity')
      AND \(isStudy(at: "learner.up_to"))
    """
}
