import LocalTime
import Postgres

/// The zones whose local day is another at the end of a time than at its beginning.
struct DaysBegun {
  let zones: [String]
  let days: [CivilDate]

  init(from start: Instant, to end: Instant, in database: ZoneDatabase) throws {
    let changed = try database.understoodNames.map { try database.zone(named: $0) }.filter {
      $0.localDay(of: start) != $0.localDay(of: end)
    }
    zones = changed.map(\.name)
    days = changed.map { $0.localDay(of: end) }
  }

  /// The learners there whose widgets show another day, as a statement that gives their ids.
  var learners: Statement {
    """
    SELECT users.user_id FROM unnest(\(zones), \(days)) AS zone (name, local_day)
    JOIN learning.users ON users.zone = zone.name
    JOIN learning.widget_snapshots AS shown ON shown.user_id = users.user_id
    WHERE shown.local_day <> zone.local_day
    """
  }
}
