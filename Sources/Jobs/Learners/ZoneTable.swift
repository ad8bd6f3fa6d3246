import LocalTime
import Postgres

/// Where every zone of the world stands at one instant, for statements: Postgres converts no zones.
///
/// A learner whose zone is not among them has one that nobody knows.
struct ZoneTable {
  private let names: [String]
  private let offsets: [Int]
  private let days: [CivilDate]

  init(of zones: ZoneDatabase, at instant: Instant) throws {
    let known = try zones.understoodNames.map { try zones.zone(named: $0) }
    names = known.map(\.name)
    offsets = known.map { $0.offset(at: instant) }
    days = known.map { $0.localDay(of: instant) }
  }

  /// The zones in which `day` is over.
  func names(past day: CivilDate) -> [String] {
    zip(names, days).filter { $1 > day }.map(\.0)
  }

  /// The rows `(name, utc_offset, local_day)`, the offset in seconds east of UTC.
  var rows: Statement {
    "unnest(\(names), \(offsets), \(days)) AS zone (name, utc_offset, local_day)"
  }
}
