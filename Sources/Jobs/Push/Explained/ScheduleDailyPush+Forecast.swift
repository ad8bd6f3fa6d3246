import JobKit
public import LocalTime
public import Postgres

extension ScheduleDailyPush: Forecaster {
  /// Counts the pushes of a day by the planner that the job goes by, a few thousand learners at a time.
  public func forecast(
    on day: CivilDate?, at now: Instant, in zones: ZoneDatabase, _ connection: borrowing Connection
  ) throws -> Forecast {
    let today = Zone.utc.localDay(of: now)
    let day = day ?? today
    guard day >= today else { throw DayIsOver(day, today: today) }
    let reader = PushFactsReader(moment: now, rules: rules, mark: nil)
    let everyone = try LearnerList(on: connection)
    var (known, count) = (KnownZones(of: zones), PushCount(of: day))
    var users = everyone.next(rules.chunk, after: nil)
    while let last = users.last {
      for facts in try reader.facts(of: Array(users), on: connection) {
        let zone = try known.zone(named: facts.zone)
        count.add(zone.map { decision(of: facts, in: $0, on: day) }, in: zone)
      }
      users = everyone.next(rules.chunk, after: "\(last)")
    }
    return count.forecast(by: definition.name)
  }

  /// What would be decided when the day begins, with what is known now: no window has passed then.
  private func decision(
    of facts: PushFacts, in zone: Zone, on day: CivilDate
  ) -> PushDecision {
    let planner = PushPlanner(for: facts, in: zone, at: zone.startOfDay(day), by: rules)
    return planner.decision(on: planner.plan(for: day))
  }
}
