import JobKit
public import LocalTime
public import Postgres

extension ScheduleDailyPush: LearnerExplainer {
  /// Tells of a past day what is written down of it, and of the others also what would be decided now.
  public func explain(
    _ learner: Int, on day: CivilDate?, at now: Instant, in zones: ZoneDatabase,
    _ connection: borrowing Connection
  ) throws -> LearnerExplanation {
    let reader = PushFactsReader(moment: now, rules: rules, mark: nil)
    guard let facts = try reader.facts(of: [learner], on: connection).first else {
      throw UnknownLearner(learner)
    }
    var known = KnownZones(of: zones)
    guard let zone = try known.zone(named: facts.zone) else {
      return Self.withoutZone(facts)
    }
    let planner = PushPlanner(for: facts, in: zone, at: now, by: rules)
    let day = day ?? planner.today
    let record = try PushRecord.find(of: learner, on: day, connection)
    return Self.explanation(by: planner, of: day, record)
  }

  private static func explanation(
    by planner: PushPlanner, of day: CivilDate, _ record: PushRecord?
  ) -> LearnerExplanation {
    // What was handed over, or is over, the planner has nothing to say of any more.
    let isOpen = day >= planner.today && record?.state.isRevisable ?? true
    var lines = [heading(planner, day)]
    if let record {
      lines += record.words(in: planner.zone)
    } else {
      lines.append(
        day < planner.today ? "no push was decided for that day" : "nothing is decided yet")
    }
    if isOpen {
      if record != nil { lines.append("by what is known now:") }
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
