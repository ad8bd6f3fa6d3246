import JobKit
import LocalTime
import Postgres

/// One run of the planner over the learners of a part, a chunk at a time.
///
/// While it decides for one chunk, the server reads the facts of the next: either waits for the other only
/// where it must. What was read early is not old for that: who is new since the run began is looked at
/// again by the next.
struct PushPlanningScan {
  private let learners: LearnerList
  private let scan: IncrementalScan
  private let reader: PushFactsReader
  private var zones: KnownZones

  /// What was read of the learners after those that were decided last.
  private var ahead: PushFactsBatch?

  /// A run over `learners`, of whom there may be news since a mark.
  init(
    of learners: LearnerList, in scan: IncrementalScan, since mark: Watermark?, by rules: PushRules,
    in context: borrowing JobContext
  ) {
    self.learners = learners
    self.scan = scan
    reader = PushFactsReader(moment: scan.asOf, rules: rules, mark: mark)
    zones = KnownZones(of: context.zones)
  }

  private var moment: Instant { reader.moment }

  mutating func oneChunk(
    of most: Int, _ progress: inout Progress, on connection: borrowing Connection
  ) throws -> ChunkStep {
    let users = next(most, after: scan.last(in: progress.cursor))
    progress.total = max(learners.ids.count, progress.done)
    if let last = users.last {
      let batch = try batch(of: users, on: connection)
      try decide(for: batch, before: next(most, after: last), &progress, on: connection)
      progress.cursor = scan.cursor(after: last)
      progress.done += users.count
    }
    guard users.count < most else { return .more }
    try scan.end(on: connection)
    return .finished
  }

  private func next(_ most: Int, after last: Int?) -> [Int] {
    Array(learners.next(most, after: last))
  }

  /// What is known of these learners: read already, unless they are the first, or others than were expected.
  private mutating func batch(
    of users: [Int], on connection: borrowing Connection
  ) throws -> PushFactsBatch {
    defer { ahead = nil }
    if let ahead, ahead.users == users { return ahead }
    return PushFactsBatch(of: users, try connection.pipeline(reader.statements(of: users)))
  }

  func summary(of progress: Progress) -> String {
    let counters = progress.counters
    return
      "looked at \(progress.done.counted("learner")), planned \(counters["planned"].counted("push", "pushes")),"
      + " decided against \(counters["suppressed"] + counters["expired"])"
  }
}

extension PushPlanningScan {
  /// Decides for the learners of a batch while those who `come` next are read.
  private mutating func decide(
    for batch: PushFactsBatch, before come: [Int], _ progress: inout Progress,
    on connection: borrowing Connection
  ) throws {
    var (batch, findings) = (batch, PushFindings(at: moment))
    let reading = come.isEmpty ? [] : reader.statements(of: come)
    let read = try connection.pipeline(reading, whileEach: batch.learners) { row in
      try decide(on: batch.facts(in: row), &findings, &progress)
    }
    if !come.isEmpty { ahead = PushFactsBatch(of: come, read) }
    try findings.save(&progress.counters, on: connection)
  }

  private mutating func decide(
    on facts: PushFacts, _ findings: inout PushFindings, _ progress: inout Progress
  ) throws {
    // A later run has looked already, and knew more.
    if let lookedAt = facts.lookedAt, lookedAt > moment { return }
    guard let zone = try zones.zone(named: facts.zone) else {
      return findings.putAside(facts)
    }
    if facts.hasBadSessions { findings.aside.addSessions(of: facts.user) }
    let agenda = PushPlanner(for: facts, in: zone, at: moment, by: reader.rules).agenda()
    findings.writer.add(agenda, of: facts)
    for decision in agenda.decisions { progress.addExample(decision.example(in: zone)) }
  }
}

/// What is to be written of a chunk.
private struct PushFindings {
  let moment: Instant
  var writer: PushWriter
  var aside = PushesPutAside()

  init(at moment: Instant) {
    self.moment = moment
    writer = PushWriter(at: moment)
  }

  /// Puts aside a learner whose zone nobody knows, until it is looked for again: new zone data may have it, which
  /// is no news of the learner.
  mutating func putAside(_ facts: PushFacts) {
    aside.add(facts)
    writer.add(PushAgenda(decisions: [], lookAt: moment + Self.respite), of: facts)
  }

  /// Short enough that no more than an evening is lost, and long enough for names that nobody ever knows.
  private static let respite = Duration.seconds(6 * 3600)

  func save(_ counters: inout Counters, on connection: borrowing Connection) throws {
    for written in try writer.save(on: connection) { counters.count(written) }
    try aside.save(at: moment, &counters, on: connection)
  }
}

extension Counters {
  /// Counts a push by what became of it, and by why when it will not go out.
  fileprivate mutating func count(_ written: PushWriter.Written) {
    count(written.state.rawValue, because: written.reason)
    if written.isRevised { count("revised") }
  }
}

extension PushDecision {
  /// As in `learner 17: a reminder on 2026-03-01 at 20:57 in Asia/Seoul (streak)`.
  fileprivate func example(in zone: Zone) -> String {
    let verb = reason.map { "decided against (\($0.rawValue)), " } ?? ""
    let minute = plan.minute.map { " at \(zone.local(at: $0).timeOfDay) in \(zone.name)" } ?? ""
    return "learner \(user): \(verb)a \(plan.kind.rawValue) on \(plan.day)\(minute)"
      + " (\(message.template.rawValue))"
  }
}
