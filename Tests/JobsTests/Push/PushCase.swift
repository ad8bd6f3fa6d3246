import LocalTime
import TestSupport

@testable import Jobs

/// A learner as the tests of the planner describe one: everything in local times.
struct PushCase {
  let zone: Zone
  var facts: PushFacts
  var rules = PushRules()

  static let zones = Result { try ZoneDatabase(root: TestEnvironment.zoneinfo) }

  /// Learner 7, whom nothing keeps from a push, with studies that ended at these local times.
  init(in zone: String = "Asia/Seoul", studies: String..., quiet: QuietHours? = nil) throws {
    try self.init(in: zone, studies: studies, quiet: quiet)
  }

  init(in zone: String, studies: [String], quiet: QuietHours? = nil) throws {
    self.zone = try Self.zones.get().zone(named: zone)
    facts = PushFacts(user: 7, zone: zone)
    facts.quietHours = quiet
    rules.holdoutPermille = 0
    for study in studies { try add(studyAt: study) }
  }

  /// Adds a study that ended at a local time, on the day that calendars here showed then.
  mutating func add(studyAt text: String) throws {
    let local = try LocalDateTime(text)
    facts.studies.append(.init(end: zone.instant(of: local), day: local.date))
    facts.studies.sort { $0.end < $1.end }
  }

  /// The planner as of a local time, or of an instant.
  func planner(at text: String) throws -> PushPlanner {
    let now = try (try? Instant(text)) ?? zone.instant(of: LocalDateTime(text))
    return PushPlanner(for: facts, in: zone, at: now, by: rules)
  }

  /// The plan for a day as of its beginning, as in `reminder 20:55 to 21:40`.
  func window(on day: String) throws -> String {
    let plan = try planner(at: "\(day)T00:00").plan(for: CivilDate(day))
    return text(of: plan)
  }

  func text(of plan: PushPlan) -> String {
    guard let window = plan.window else {
      guard case .nothing(let reason) = plan.cut else { return "nothing" }
      return "\(plan.kind.rawValue) \(reason.rawValue)"
    }
    let hurry = if case .hurried = plan.cut { " in a hurry" } else { "" }
    return "\(plan.kind.rawValue) \(time(window.from)) to \(time(window.to))\(hurry)"
  }

  private func time(_ instant: Instant) -> String { zone.local(at: instant).timeOfDay }
}

extension PushRow {
  /// The row of a day, which was planned before anything else in a test.
  init(
    _ day: String, _ state: PushState, _ kind: PushKind = .reminder, evidence: Instant? = nil,
    plannedAt: String = "2026-01-01T00:00:00Z", windowTo: String? = nil,
    handedAt: String? = nil
  ) throws {
    self.init(
      day: try CivilDate(day), state: state, kind: kind, plannedAt: try Instant(plannedAt),
      evidence: evidence, windowTo: try windowTo.map { try Instant($0) },
      handedAt: try handedAt.map { try Instant($0) })
  }
}
