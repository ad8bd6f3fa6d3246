import JobKit
import LocalTime
import Postgres

/// Pushes that are not closed, although their local day is over.
struct UnansweredPushes {
  private let users: [Int]
  private let days: [CivilDate]
  private let zones: [String]

  /// When the push was tapped: what was tapped before it counted as sent is not closed yet.
  private let taps: [Instant?]

  var count: Int { users.count }

  /// Finds some of them as of `moment`: the next ones after the one that a cursor names.
  ///
  /// In a zone that nobody knows any more a day is over when it is over everywhere.
  static func find(
    _ most: Int, after cursor: String?, of share: Statement, at moment: Instant,
    in calendars: ZoneTable, on connection: borrowing Connection
  ) throws -> UnansweredPushes {
    let query = try query(most, after: cursor, of: share, at: moment, in: calendars)
    let rows = try connection.run(query)
    return UnansweredPushes(
      users: try rows.map { try $0[0] }, days: try rows.map { try $0[1] },
      zones: try rows.map { try $0[2] }, taps: try rows.map { try $0[3] })
  }

  /// The zones are lists and not rows to join, so that the index gives the order in which chunks go on.
  static func query(
    _ most: Int, after cursor: String?, of share: Statement, at moment: Instant,
    in calendars: ZoneTable
  ) throws -> Statement {
    """
    SELECT push.user_id, push.local_day, push.zone, (
        SELECT tap.at FROM learning.notification_events AS tap
        WHERE tap.user_id = push.user_id AND tap.local_day = push.local_day
          AND tap.event = 'push_opened' AND tap.at <= \(moment))
    FROM learning.notifications AS push
    WHERE \(areOver(at: moment, in: calendars)) AND \(try isLater(than: cursor)) AND \(share)
    ORDER BY push.local_day, push.user_id LIMIT \(most)
    FOR UPDATE OF push
    """
  }

  /// Which rows `push` are not closed although their day is over, as a condition.
  static func areOver(at moment: Instant, in calendars: ZoneTable) -> Statement {
    let today = Zone.utc.localDay(of: moment)
    let yesterday = today.advanced(by: -1)
    return """
      push.state IN ('sent', 'uncertain') AND push.sent_at IS NOT NULL AND push.ended_at IS NULL
        AND push.local_day <= \(today)
        AND (push.local_day < \(yesterday)
          OR push.local_day = \(yesterday) AND push.zone = ANY(\(calendars.names(past: yesterday)))
          OR push.local_day = \(today) AND push.zone = ANY(\(calendars.names(past: today))))
      """
  }

  /// Without it each chunk would pass over all that those before it have closed.
  private static func isLater(than cursor: String?) throws -> Statement {
    let words = (cursor ?? "").split(separator: " ")
    guard let day = words.first, let user = words.last.flatMap({ Int($0) }) else { return "true" }
    return "(push.local_day, push.user_id) > (\(try CivilDate(day)), \(user))"
  }

  /// The cursor that names the last of them; nothing when there are none.
  var cursor: String? {
    guard let day = days.last, let user = users.last else { return nil }
    return "\(day) \(user)"
  }

  /// What to call each of them, and what it is closed as.
  var names: some Sequence<(name: PushName, state: PushState)> {
    users.indices.lazy.map { index in
      (PushName(learner: users[index], day: days[index]), taps[index] == nil ? .ignored : .opened)
    }
  }

  /// Closes them: as opened when they were tapped, else as ignored at the end of their day, with its event.
  ///
  /// To find them has locked them, so nobody else has closed them since.
  func close(in known: ZoneDatabase, on connection: borrowing Connection) throws -> Closed {
    guard count > 0 else { return Closed(opened: 0, ignored: 0) }
    var known = KnownZones(of: known)
    let ends = try zip(days, zones).map { day, name in
      (try known.zone(named: name) ?? Zone.utc).startOfDay(day.advanced(by: 1))
    }
    let row = try connection.run(closing(at: ends)).only
    return Closed(opened: try row[0], ignored: try row[1])
  }

  /// How many were closed as what.
  struct Closed: Equatable {
    let opened: Int
    let ignored: Int
  }

  private func closing(at ends: [Instant]) -> Statement {
    """
    WITH closed AS (
      UPDATE learning.notifications AS push
      SET state = CASE WHEN over.tap IS NULL THEN 'ignored' ELSE 'opened' END,
        reason = CASE WHEN over.tap IS NULL THEN push.reason END,
        ended_at = coalesce(over.tap, over.at)
      FROM unnest(\(users), \(days), \(ends), \(taps)) AS over (user_id, local_day, at, tap)
      WHERE push.user_id = over.user_id AND push.local_day = over.local_day
      RETURNING push.user_id, push.local_day, push.ended_at, push.state
    ), told AS (
      INSERT INTO learning.notification_events (user_id, local_day, event, at)
      SELECT user_id, local_day, 'push_ignored', ended_at FROM closed WHERE state = 'ignored'
      ON CONFLICT DO NOTHING
    )
    SELECT count(*) FILTER (WHERE state = 'opened'), count(*) FILTER (WHERE state = 'ignored')
    FROM closed
    """
  }
}
