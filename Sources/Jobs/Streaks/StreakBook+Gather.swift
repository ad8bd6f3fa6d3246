import JobKit
import LocalTime
import Postgres

extension StreakBook {
  /// Makes a row for whoever has begun to study, and locks the rows of all, in order.
  ///
  /// The offers to repair are locked too: the app turns one into an accepted one at any moment.
  func open(_ learners: [Int], on connection: borrowing Connection) throws(PostgresError) {
    var locked = try lock(learners, on: connection)
    if locked.count < learners.count {
      try begin(learners, on: connection)
      locked = try lock(learners, on: connection)
    }
    try lockOffers(to: locked.repairable, on: connection)
  }

  /// Locks the rows that there are; returns how many, and whose streaks can be repaired.
  private func lock(
    _ learners: [Int], on connection: borrowing Connection
  ) throws(PostgresError) -> (count: Int, repairable: [Int]) {
    let row = try connection.run(
      """
      SELECT count(*), coalesce(array_agg(user_id) FILTER (WHERE state = 'repairable'), '{}')
      FROM (SELECT user_id, state FROM learning.streaks WHERE user_id = ANY (\(learners))
        ORDER BY user_id FOR UPDATE) AS locked
      """
    ).only
    return (try row[0], try row[1])
  }

  /// Locks what is open of these learners; nobody else has an offer, as `StreakFold` sees to.
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

  /// How far back studies are read that may have arrived since a streak has changed; what arrives later
  /// than that is asked about by itself.
  ///
  /// The day before the latest that is over is needed of whoever begins a chain: west of UTC, in the evening
  /// and with a whole day of grace, that is the fifth day back.
  static let lookBackDays = 6

  /// Decides for each learner who has a streak and lives in a zone that is known.
  ///
  /// They are read in slices: while it decides for one, the server reads the next.
  mutating func look(
    at learners: [Int], wholeOf whole: Set<Int>, _ findings: inout Findings,
    on connection: borrowing Connection
  ) throws {
    var (coming, read) = (learners[...], [Rows]())
    repeat {
      let slice = Array(coming.prefix(Self.slice))
      coming = coming.dropFirst(slice.count)
      let query = Self.query(slice, whole: slice.map(whole.contains), at: moment).keepingPlan
      read = try connection.pipeline(
        slice.isEmpty ? [] : [query], whileEach: read.joined()
      ) { row in
        try decide(row, &findings)
      }
    } while !read.isEmpty
  }

  /// How many learners are read at once.
  private static let slice = 250

  private mutating func decide(_ row: Row, _ findings: inout Findings) throws {
    let (learner, name) = (try row[0, as: Int.self], try row[1, as: String.self])
    guard let zone = try zones.zone(named: name) else {
      findings.homeless.append(learner)
      return findings.quarantine.put(
        learner, source: "users", key: "", because: "unknown_zone")
    }
    findings.decide(try StreakFacts(row, in: zone, at: moment), by: rules)
  }

  /// Removes the rows that were made for learners whose streak nobody can tell.
  func forget(
    _ learners: [Int], on connection: borrowing Connection
  ) throws(PostgresError) {
    guard !learners.isEmpty else { return }
    try connection.run(
      "DELETE FROM learning.streaks WHERE user_id = ANY (\(learners)) AND longest = 0")
  }

  /// A row for each learner, in the order in which `StreakFacts` reads them; where there is nothing a list is NULL.
  ///
  /// A streak that is ahead of the run's moment is not turned back: what was known then still is. Who never
  /// held a token has no purse, and so neither entries nor repairs: that is most learners, of whom these are
  /// not looked for.
  static func query(_ learners: [Int], whole: [Bool], at moment: Instant) -> Statement {
    """
    SELECT streak.user_id, users.zone, CASE WHEN users.auto_repair THEN users.changed_at END, known.at,
      since.at, streak.longest,
      streak.state, streak.started_on, streak.last_day, streak.length, streak.missed_day,
      streak.repairable_until, streak.check_at, streak.changed_at, coalesce(purse.balance, 0)::integer,
      (SELECT coalesce(max(number), 0) FROM learning.streak_events AS event
        WHERE event.user_id = streak.user_id),
      (SELECT array_agg(entry) FROM learning.token_entries AS line
        WHERE purse.user_id IS NOT NULL AND line.user_id = streak.user_id),
      repair.days, repair.states, repair.offered, repair.accepted, repair.ended,
      study.days, study.received, reached.starts, reached.days, reached.kinds
    FROM unnest(\(learners), \(whole)) AS learner (user_id, is_whole)
    JOIN learning.streaks AS streak USING (user_id)
    JOIN learning.users USING (user_id)
    LEFT JOIN learning.brain_tokens AS purse USING (user_id)
    CROSS JOIN LATERAL (SELECT greatest(\(moment)::timestamptz, streak.changed_at)) AS known (at)
    CROSS JOIN LATERAL (SELECT CASE WHEN NOT is_whole AND streak.longest > 0
      THEN streak.changed_at - interval '1 day' * \(lookBackDays) END) AS since (at)
    CROSS JOIN LATERAL (
      SELECT array_agg(day), array_agg(state), array_agg(offered_at), array_agg(accepted_at),
        array_agg(ended_at)
      FROM learning.streak_repairs AS repair
      WHERE purse.user_id IS NOT NULL AND repair.user_id = streak.user_id
    ) AS repair (days, states, offered, accepted, ended)
    CROSS JOIN LATERAL (\(studies)) AS study (days, received)
    CROSS JOIN LATERAL (\(reached)) AS reached (starts, days, kinds)
    ORDER BY streak.user_id
    """
  }

  /// The milestones of a learner whose whole history is read: nothing else asks what older chains were given.
  private static let reached: Statement = """
    SELECT array_agg(started_on), array_agg(days), array_agg(kind)
    FROM learning.awards AS award
    WHERE is_whole AND award.user_id = streak.user_id AND reason = 'milestone'
    """

  /// The days of a learner's studies since `since.at`, and when each was received: to look here for the first
  /// of each day, and to order them, would take as long as to read them.
  private static let studies: Statement = """
    SELECT array_agg(local_day), array_agg(server_received_at)
    FROM learning.sessions AS session
    WHERE session.user_id = streak.user_id
      AND session.ended_at >= coalesce(since.at, '-infinity') AND \(isStudy(at: "known.at"))
    """
}
