import JobKit
public import LocalTime
public import Postgres

extension ScheduleDailyPush: Forecaster {
  /// Counts the pushes of a day, a few thousand learners at a time: those that are written down by their rows, and
  /// the others by the planner that the job goes by.
  ///
  /// So it says the same before and after a run, as long as nothing is new.
  public func forecast(
    on day: CivilDate?, at now: Instant, in zones: ZoneDatabase, _ connection: borrowing Connection
  ) throws -> Forecast {
    let today = Zone.utc.localDay(of: now)
    let (day, first) = (day ?? today, today.advanced(by: -Self.daysBack))
    guard day >= first else { throw DayIsOver(day, first: first) }
    let reader = PushFactsReader(moment: now, rules: rules, mark: nil)
    let everyone = try LearnerList(on: connection)
    var (known, count) = (KnownZones(of: zones), PushCount(of: day, at: now))
    var users = everyone.next(rules.chunk, after: nil)
    while let last = users.last {
      let written = try WrittenPush.read(of: Array(users), on: day, connection)
      for facts in try reader.facts(of: Array(users), on: connection) {
        let (zone, row) = (try known.zone(named: facts.zone), written[facts.user])
        let outlook = zone.map {
          PushPlanner(for: facts, in: $0, at: now, by: rules).outlook(on: day, with: row)
        }
        count.add(outlook ?? Self.withoutZone(row, at: now), in: zone)
      }
      users = everyone.next(rules.chunk, after: last)
    }
    return count.forecast(by: definition.name)
  }

  /// As far back as studies tell what a day would have brought of which nothing was decided.
  private static let daysBack = 7

  /// In a zone that nobody knows nothing more goes out, whatever is planned.
  private static func withoutZone(_ row: WrittenPush?, at now: Instant) -> PushOutlook {
    guard let row, row.state != .planned else {
      return .notSent(because: PushReason.unknownZone.rawValue)
    }
    return row.outlook(at: now)
  }
}
