import JobKit
import LocalTime
import Postgres

/// One run of the planner over the learners of a part, a chunk at a time.
struct PushTour {
  private let learners: PushLearners
  private let round: Round
  private let reader: PushFactsReader
  private var zones: KnownZones

  /// A run over `learners`, of whom there may be news since a mark.
  init(
    of learners: PushLearners, in round: Round, since mark: Watermark?, by rules: PushRules,
    in context: borrowing JobContext
  ) {
    self.learners = learners
    self.round = round
    reader = PushFactsReader(moment: round.asOf, rules: rules, mark: mark)
    zones = KnownZones(of: context.zones)
  }

  private var moment: Instant { reader.moment }

  /// Every learner is looked up once: what is remembered is never asked for again, and what is compiled runs
  /// for less time than that takes.
  private static let plainPlans: Statement =
    "SELECT set_config('jit', 'off', true), set_config('enable_memoize', 'off', true)"

  mutating func oneChunk(
    _ progress: inout Progress, on connection: borrowing Connection
  ) throws -> ChunkStep {
    let most = reader.rules.chunk
    let users = try learners.next(most, after: round.last(in: progress.cursor), on: connection)
    progress.total = max(learners.count, progress.done)
    if let last = users.last {
      try connection.run(Self.plainPlans)
      try look(at: users, &progress, on: connection)
      progress.cursor = round.cursor(after: last)
      progress.done += users.count
    }
    guard users.count < most else { return .more }
    try round.end(on: connection)
    return .finished
  }

  func summary(of progress: Progress) -> String {
    let counters = progress.counters
    return "looked at \(progress.done) learners, planned \(counters["planned"]) pushes,"
      + " decided against \(counters["suppressed"] + counters["expired"])"
  }
}

extension PushTour {
  private mutating func look(
    at users: [Int], _ progress: inout Progress, on connection: borrowing Connection
  ) throws {
    var writer = PushWriter(at: moment)
    var aside = PushesPutAside()
    for facts in try reader.facts(of: users, on: connection) {
      // A later run has looked already, and knew more.
      if let lookedAt = facts.lookedAt, lookedAt > moment { continue }
      guard let zone = try zones.zone(named: facts.zone) else {
        aside.add(facts)
        continue
      }
      if facts.hasBadSessions { aside.addSessions(of: facts.user) }
      let agenda = PushPlanner(for: facts, in: zone, at: moment, by: reader.rules).agenda()
      writer.add(agenda, of: facts)
      for decision in agenda.decisions { progress.show(decision.example(in: zone)) }
    }
    for written in try writer.save(on: connection) { progress.counters.count(written) }
    try aside.save(at: moment, &progress.counters, on: connection)
  }
}

extension Counters {
  /// Counts a push by what became of it, and by why when it will not go out.
  fileprivate mutating func count(_ written: PushWriter.Written) {
    count(written.state.rawValue)
    if let reason = written.reason { count(reason) }
    if written.isRevised { count("revised") }
  }
}

extension PushDecision {
  /// As in `learner 17: a reminder on 2026-03-01 at 20:57 (streak)`.
  fileprivate func example(in zone: Zone) -> String {
    let verb = reason.map { "decided against (\($0.rawValue)), " } ?? ""
    let minute = plan.minute.map { " at \(zone.local(at: $0).timeOfDay)" } ?? ""
    return "learner \(user): \(verb)a \(plan.kind.rawValue) on \(plan.day)\(minute)"
      + " (\(message.template.rawValue))"
  }
}
