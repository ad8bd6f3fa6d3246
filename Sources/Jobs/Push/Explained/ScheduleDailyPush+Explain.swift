internal import Config
import JobKit
public import LocalTime
public import Postgres

extension PushPlanner {
  /// Whether a run now would write something else of a day than its record, if there is any.
  ///
  /// What is written stays until the learner's row, a device or a study is new, whatever else has changed.
  fileprivate func isOpen(_ day: CivilDate, with record: PushRecord?) -> Bool {
    guard let record else { return true }
    guard let decision = due(on: day) else { return false }
    return !record.tells(decision)
  }
}

extension ScheduleDailyPush: LearnerExplainer {
  /// Tells of a day what is written down of it and, unless it is past, what a run now would write.
  public func explain(
    _ learner: Int, on day: CivilDate?, at now: Instant, in zones: ZoneDatabase,
    _ connection: borrowing Connection
  ) throws -> LearnerExplanation {
    let facts = try facts(of: learner, at: now, connection)
    var known = KnownZones(of: zones)
    guard let zone = try known.zone(named: facts.zone) else {
      return Self.withoutZone(facts)
    }
    let planner = PushPlanner(for: facts, in: zone, at: now, by: rules)
    let day = day ?? planner.today
    let record = try PushRecord.find(of: learner, on: day, connection)
    return Self.explanation(by: planner, of: day, record)
  }

  /// What is known of the learner, and whether any of it is news to the run that looked last.
  private func facts(
    of learner: Int, at now: Instant, _ connection: borrowing Connection
  ) throws -> PushFacts {
    func read(since mark: Watermark?) throws -> PushFacts {
      let reader = PushFactsReader(moment: now, rules: rules, mark: mark)
      guard let facts = try reader.facts(of: [learner], on: connection).first else {
        throw UnknownLearner(learner)
      }
      return facts
    }
    let facts = try read(since: nil)
    guard let lookedAt = facts.lookedAt else { return facts }
    return try read(since: Watermark(seenUntil: lookedAt, seenIn: .max))
  }

  private static func explanation(
    by planner: PushPlanner, of day: CivilDate, _ record: PushRecord?
  ) -> LearnerExplanation {
    let isOpen = day >= planner.today && planner.isOpen(day, with: record)
    var lines = [heading(planner, day)]
    if let record {
      lines += record.words(in: planner.zone)
    } else if !isOpen {
      lines.append("no push was decided for that day")
    }
    if isOpen {
      lines.append(
        record == nil ? "nothing is decided yet; by what is known now:" : "by what is known now:")
      lines += planner.words(on: day)
    }
    let facts: JSON = [
      "learner": .integer(planner.facts.user), "zone": .string(planner.facts.zone),
      "day": .string(day.description), "decided": record?.json ?? nil,
      "would": isOpen ? planner.facts(on: day) : nil,
      "says": .array(lines.map { .string($0) }),
    ]
    return LearnerExplanation(lines: lines, facts: facts)
  }

  private static func heading(_ planner: PushPlanner, _ day: CivilDate) -> String {
    let local = planner.zone.local(at: planner.now)
    return
      "learner \(planner.facts.user) on \(day), in the times of \(planner.facts.zone), where it"
      + " is \(local.date) \(local.timeOfDay) now"
  }

  private static func withoutZone(_ facts: PushFacts) -> LearnerExplanation {
    let line =
      "learner \(facts.user) gets no push until the zone is corrected: nobody knows '\(facts.zone)'"
    return LearnerExplanation(
      lines: [line],
      facts: [
        "learner": .integer(facts.user), "zone": .string(facts.zone),
        "reason": .string(PushReason.unknownZone.rawValue), "says": .array([.string(line)]),
      ])
  }
}

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
