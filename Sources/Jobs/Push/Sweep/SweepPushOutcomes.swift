package import Config
public import JobKit
import LocalTime
import Postgres

extension JobDefinition {
  /// Somewhere a local day ends every hour.
  static let sweepPushOutcomes = JobDefinition(
    name: "sweep_push_outcomes",
    purpose:
      "closes pushes that nobody answered by the end of the local day, and prunes dead tokens",
    schedule: .cron("25 * * * *"), arguments: [.full], needs: .ofSweep)
}

/// Closes pushes: opened ones when the app tells of it, the others as ignored when their day is over; and
/// forgets devices that have been dead for long.
public struct SweepPushOutcomes: Job {
  public let definition: JobDefinition = .sweepPushOutcomes
  public let hasExternalEffects = false

  private let rules: SweepRules

  public init(rules: SweepRules = SweepRules()) {
    self.rules = rules
  }

  /// The learners of whom a push or a device is about to change.
  public func plan(_ context: borrowing JobContext) throws -> Int? {
    let scan = try IncrementalScan(ofAllParts: definition.name, in: context)
    let calendars = try ZoneTable(of: context.zones, at: context.scheduledFor)
    let over = UnansweredPushes.areOver(at: context.scheduledFor, in: calendars)
    let learners = Learners.found(
      by: """
        \(PushTaps(scan: scan, isFull: isFull(context)).learners) UNION ALL
        SELECT user_id FROM learning.notifications AS push WHERE \(over) UNION ALL
        SELECT user_id FROM learning.devices WHERE invalidated_at < \(deadSince(context))
        """)
    return try learners.count(in: context)
  }

  public func run(_ context: inout JobContext) throws -> Outcome {
    if context.progress.cursor.isBefore(.days) { try foldOpens(&context) }
    if context.progress.cursor.isBefore(.devices) { try closeDays(&context) }
    try pruneDevices(&context)
    let counters = context.progress.counters
    return Outcome(
      "\(counters["opened"]) opened, \(counters["ignored"]) ignored,"
        + " \(counters["devices forgotten"].counted("dead device")) forgotten")
  }

  private func isFull(_ context: borrowing JobContext) -> Bool {
    context.arguments["full"] == "true"
  }

  private func deadSince(_ context: borrowing JobContext) -> Instant {
    context.scheduledFor - rules.deadDevicesStay
  }
}

/// The numbers by which pushes are closed.
public struct SweepRules: Sendable, Equatable {
  /// How many rows one chunk looks at.
  public var chunk: Int

  /// How long a device that a provider has refused is remembered.
  public var deadDevicesStay: Duration

  public init(chunk: Int = 2000, deadDevicesStay: Duration = .seconds(180 * 86_400)) {
    self.chunk = chunk
    self.deadDevicesStay = deadDevicesStay
  }
}

extension SweepPushOutcomes {
  /// Turns what was tapped into `opened`, however late the app tells of it.
  ///
  /// Taps are read from where the last run stopped, and again when they committed later than that.
  private func foldOpens(_ context: inout JobContext) throws {
    let scan = try IncrementalScan(of: definition.name, in: context)
    let taps = PushTaps(scan: scan, isFull: isFull(context))
    let tapped = try LearnerList(of: .found(by: taps.learners), in: context)
    try context.inChunks(of: ChunkSize(always: rules.chunk)) { connection, progress, most in
      let ids = Array(tapped.next(most, after: scan.last(in: progress.cursor)))
      guard let last = ids.last else {
        try scan.end(on: connection)
        progress.cursor = SweepPhase.days.cursor
        return .finished
      }
      let opened = try taps.open(of: ids, on: connection)
      progress.note("opened", opened.count)
      for push in opened { progress.addExample("\(push): would be opened") }
      progress.cursor = SweepPhase.taps.cursor(at: scan.cursor(after: last))
      return .more
    }
  }

  /// Closes what is open when its local day is over, by the zone that the day was planned in.
  ///
  /// Most of it nobody tapped. A tap of what was still in a deliverer's hands was read before it could
  /// count, and is found here.
  private func closeDays(_ context: inout JobContext) throws {
    let (zones, moment) = (context.zones, context.scheduledFor)
    let calendars = try ZoneTable(of: zones, at: moment)
    let share = context.share(of: "push.user_id")
    try context.inChunks(of: ChunkSize(always: rules.chunk)) { connection, progress, most in
      try connection.run(PlanSettings.inOrder)
      let place = SweepPhase.days.place(in: progress.cursor)
      let unanswered = try UnansweredPushes.find(
        most, after: place, of: share, at: moment, in: calendars, on: connection)
      let closed = try unanswered.close(in: zones, on: connection)
      progress.note("opened", closed.opened)
      progress.note("ignored", closed.ignored)
      for push in unanswered.names { progress.addExample("\(push.name): would be \(push.state)") }
      guard unanswered.count < most else {
        progress.cursor = unanswered.cursor.map { SweepPhase.days.cursor(at: $0) }
        return .more
      }
      progress.cursor = SweepPhase.devices.cursor
      return .finished
    }
  }

  private func pruneDevices(_ context: inout JobContext) throws {
    let before = deadSince(context)
    let share = context.share(of: "user_id")
    try context.inChunks(of: ChunkSize(always: rules.chunk)) { connection, progress, most in
      try connection.run(PlanSettings.inOrder)
      let pruned = try connection.run(
        """
        DELETE FROM learning.devices WHERE (user_id, device_id) IN (
          SELECT user_id, device_id FROM learning.devices
          WHERE invalidated_at < \(before) AND \(share) ORDER BY invalidated_at LIMIT \(most))
        """
      ).affected
      progress.note("devices forgotten", pruned)
      return pruned < most ? .finished : .more
    }
  }
}

extension Progress {
  fileprivate mutating func note(_ counter: String, _ count: Int) {
    done += count
    if count > 0 { counters.count(counter, count) }
  }
}

extension SweepPushOutcomes: LearningJob {
  package static var settings: [AnyRule] { SweepRules.settings }

  package init(_ book: RuleBook, _ services: LearningServices) {
    self.init(rules: SweepRules(book))
  }
}

/// What the settings may change of closing pushes: the last of the table `[push]`.
extension SweepRules {
  private static let deadDevicesStay = Rule(
    "push", "dead_devices_stay", Duration.seconds(180 * 86_400),
    in: .seconds(86_400)...(.seconds(3660 * 86_400)))

  static let settings = [AnyRule(deadDevicesStay)]

  init(_ store: RuleBook) {
    self.init(deadDevicesStay: store[Self.deadDevicesStay])
  }
}
