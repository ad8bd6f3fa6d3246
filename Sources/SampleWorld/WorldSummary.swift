public import LocalTime
public import Postgres

/// What the jobs have done for the learners of a world in a span of time, in numbers for people.
public struct WorldSummary: Sendable {
  /// How many pushes went out in each hour of the learners' own local days.
  public internal(set) var pushesByLocalHour = [Int](repeating: 0, count: 24)

  /// How many of them went out in the learner's quiet hours, and how many outside of their window.
  public internal(set) var pushesInQuietHours = 0
  public internal(set) var pushesOutsideWindow = 0
  public internal(set) var pushesOpened = 0

  /// Why others did not go out, the most frequent reason first.
  public internal(set) var reasons: [Count] = []

  /// What happened to streaks, and what became of tokens and rewards, by name.
  public internal(set) var streaks: [Count] = []
  public internal(set) var tokens: [Count] = []
  public internal(set) var rewards: [Count] = []
  public internal(set) var leaders: [Leader] = []

  public struct Count: Sendable, Equatable {
    public let name: String
    public let count: Int
  }

  /// A row of the leaderboard of the week.
  public struct Leader: Sendable, Equatable {
    public let rank: Int
    public let name: String
    public let score: Int
  }

  public var pushes: Int { pushesByLocalHour.reduce(0, +) }
}

extension WorldSummary {
  /// Sums up what was done from `start` on and before `end`.
  public init(
    from start: Instant, to end: Instant, zones: ZoneDatabase, on connection: borrowing Connection
  ) throws {
    try readPushes(from: start, to: end, zones: zones, on: connection)
    pushesOpened = try connection.run(
      """
      SELECT count(*) FROM learning.notification_events
      WHERE event = 'push_opened' AND at >= \(start) AND at < \(end)
      """
    ).only[0]
    let within: Statement = "BETWEEN \(start) AND \(end)"
    reasons = try Self.counts(
      "SELECT reason, count(*) FROM learning.notifications WHERE reason IS NOT NULL AND planned_at \(within)",
      on: connection)
    streaks = try Self.counts(
      "SELECT event, count(*) FROM learning.streak_events WHERE at \(within)", on: connection)
    tokens = try Self.counts(
      "SELECT reason, count(*) FROM learning.token_entries WHERE at \(within)", on: connection)
    rewards = try Self.counts(
      """
      SELECT concat_ws(', ', state, reason), count(*) FROM learning.reward_pending
      WHERE settled_at \(within)
      """, on: connection)
    leaders = try Self.leaders(on: connection)
  }

  private static func counts(
    _ query: Statement, on connection: borrowing Connection
  ) throws -> [Count] {
    try connection.run("\(query) GROUP BY 1 ORDER BY 2 DESC, 1").map { row in
      Count(name: try row[0], count: try row[1])
    }
  }

  private static func leaders(on connection: borrowing Connection) throws -> [Leader] {
    try connection.run(
      """
      SELECT rank, display_name, score
      FROM learning.leaderboard_places('weekly', 'overall', 1, 5) ORDER BY place
      """
    ).map { row in Leader(rank: try row[0], name: try row[1], score: try row[2]) }
  }
}

extension WorldSummary {
  /// Each push, with where the learner was when it went out and what quiet hours held there.
  private mutating func readPushes(
    from start: Instant, to end: Instant, zones: ZoneDatabase, on connection: borrowing Connection
  ) throws {
    let rows = try connection.run(
      """
      SELECT sent_at, learner.zone, coalesce(quiet_from, 1320)::bigint, coalesce(quiet_to, 420)::bigint,
        sent_at >= window_from AND sent_at < window_to
      FROM learning.notifications JOIN LATERAL (
        SELECT zone, quiet_from, quiet_to FROM demo.users
        WHERE users.user_id = notifications.user_id AND changed_at <= sent_at
        ORDER BY changed_at DESC LIMIT 1
      ) AS learner ON true
      WHERE sent_at >= \(start) AND sent_at < \(end)
      """)
    for row in rows {
      let (from, to): (Int, Int) = (try row[2], try row[3])
      let local = try zones.zone(named: row[1]).local(at: row[0])
      pushesByLocalHour[local.hour] += 1
      let minute = local.secondOfDay / 60
      let isQuiet = from <= to ? from <= minute && minute < to : minute >= from || minute < to
      pushesInQuietHours += isQuiet ? 1 : 0
      pushesOutsideWindow += try row[4, as: Bool.self] ? 0 : 1
    }
  }
}
