import JobKit
import LocalTime
import Postgres

/// Pushes that nobody opened on their local day, which is over.
struct UnansweredPushes {
  private let users: [Int]
  private let days: [CivilDate]
  private let zones: [String]

  var count: Int { users.count }

  /// Finds some of them as of `moment`; `calendars` are the rows of a ``ZoneTable``.
  ///
  /// In a zone that nobody knows any more a day is over when it is over everywhere.
  static func find(
    _ most: Int, of share: Statement, at moment: Instant, in calendars: Statement,
    on connection: borrowing Connection
  ) throws -> UnansweredPushes {
    let rows = try connection.run(query(most, of: share, at: moment, in: calendars))
    return UnansweredPushes(
      users: try rows.map { try $0[0] }, days: try rows.map { try $0[1] },
      zones: try rows.map { try $0[2] })
  }

  static func query(
    _ most: Int, of share: Statement, at moment: Instant, in calendars: Statement
  ) -> Statement {
    let today = Zone.utc.localDay(of: moment)
    return """
      SELECT push.user_id, push.local_day, push.zone FROM learning.notifications AS push
      LEFT JOIN \(calendars) ON zone.name = push.zone
      WHERE push.state IN ('sent', 'uncertain') AND push.local_day <= \(today)
        AND push.local_day < coalesce(zone.local_day, \(today.advanced(by: -1))) AND \(share)
        AND NOT EXISTS (
          SELECT FROM learning.notification_events AS tap
          WHERE tap.user_id = push.user_id AND tap.local_day = push.local_day
            AND tap.event = 'push_opened' AND tap.at <= \(moment))
      ORDER BY push.local_day, push.user_id LIMIT \(most)
      FOR UPDATE OF push
      """
  }

  /// Closes them as of the end of their day, each with its event; returns how many.
  func ignore(in known: ZoneDatabase, on connection: borrowing Connection) throws -> Int {
    guard count > 0 else { return 0 }
    var known = KnownZones(of: known)
    let ends = try zip(days, zones).map { day, name in
      (try known.zone(named: name) ?? Zone.utc).startOfDay(day.advanced(by: 1))
    }
    return try connection.run(
      """
      WITH closed AS (
        UPDATE learning.notifications AS push SET state = 'ignored', ended_at = over.at
        FROM unnest(\(users), \(days), \(ends)) AS over (user_id, local_day, at)
        WHERE push.user_id = over.user_id AND push.local_day = over.local_day
          AND push.state IN ('sent', 'uncertain')
        RETURNING push.user_id, push.local_day, push.ended_at
      ), told AS (
        INSERT INTO learning.notification_events (user_id, local_day, event, at)
        SELECT user_id, local_day, 'push_ignored', ended_at FROM closed
        ON CONFLICT DO NOTHING
      )
      SELECT count(*) FROM closed
      """
    ).only[0]
  }
}
