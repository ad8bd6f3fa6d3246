public import JobKit
import LocalTime
import Postgres

extension JobDefinition {
  /// Somewhere a local day ends every hour.
  static let sweepPushOutcomes = JobDefinition(
    name: "sweep_push_outcomes",
    purpose:
      "closes pushes that nobody answered by the end of the local day, and prunes dead tokens",
    schedule: .cron("25 * * * *"))
}

/// Closes pushes: opened ones when the app tells of it, the others as ignored when their day is over; and
/// forgets devices that have been dead for long.
public struct SweepPushOutcomes: Job {
  public let definition: JobDefinition = .sweepPushOutcomes
  public let worksInPostgresAlone = true

  private let rules: SweepRules

  public init(rules: SweepRules = SweepRules()) {
    self.rules = rules
  }

  public func run(_ context: inout JobContext) throws -> Outcome {
    try foldOpens(&context)
    try closeDays(&context)
    try pruneDevices(&context)
    let counters = context.progress.counters
    return Outcome(
      "\(counters["opened"]) opened, \(counters["ignored"]) ignored,"
        + " \(counters["devices forgotten"]) dead devices forgotten")
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
    let (job, part, moment) = (definition.name, context.part, context.scheduledFor)
    let seen = try Watermark.saved(for: job, of: part, in: context)
    let coming = try Watermark.coming(at: moment, in: context)
    let isNew = seen?.isNew("tap.at", "tap.written_in") ?? "true"
    let share = context.share(of: "push.user_id")
    let (chunk, isForEverybody) = (rules.chunk, context.percent == 100)
    try context.inChunks { connection, progress in
      let opened = try connection.run(
        """
        UPDATE learning.notifications AS push
        SET state = 'opened', reason = NULL, ended_at = tap.at
        FROM (
          SELECT tap.user_id, tap.local_day, tap.at FROM learning.notification_events AS tap
          JOIN learning.notifications AS push USING (user_id, local_day)
          WHERE tap.event = 'push_opened' AND tap.at <= \(moment) AND \(isNew)
            AND push.state IN ('sent', 'uncertain', 'ignored') AND \(share)
          ORDER BY user_id, local_day LIMIT \(chunk) FOR UPDATE OF push
        ) AS tap
        WHERE push.user_id = tap.user_id AND push.local_day = tap.local_day
        """
      ).affected
      progress.note("opened", opened)
      guard opened < chunk else { return .more }
      // A canary has read the taps of a few, and the next run has to read those of the others.
      if isForEverybody { try coming.save(for: job, of: part, on: connection) }
      return .finished
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
    let chunk = rules.chunk
    try context.inChunks { connection, progress in
      let unanswered = try UnansweredPushes.find(
        chunk, after: progress.cursor, of: share, at: moment, in: calendars, on: connection)
      let closed = try unanswered.close(in: zones, on: connection)
      progress.note("opened", closed.opened)
      progress.note("ignored", closed.ignored)
      progress.cursor = unanswered.cursor ?? progress.cursor
      return unanswered.count < chunk ? .finished : .more
    }
  }

  private func pruneDevices(_ context: inout JobContext) throws {
    let before = context.scheduledFor - rules.deadDevicesStay
    let share = context.share(of: "user_id")
    let chunk = rules.chunk
    try context.inChunks { connection, progress in
      let pruned = try connection.run(
        """
        DELETE FROM learning.devices WHERE (user_id, device_id) IN (
          SELECT user_id, device_id FROM learning.devices
          WHERE invalidated_at < \(before) AND \(share) ORDER BY invalidated_at LIMIT \(chunk))
        """
      ).affected
      progress.note("devices forgotten", pruned)
      return pruned < chunk ? .finished : .more
    }
  }
}

extension Progress {
  fileprivate mutating func note(_ counter: String, _ count: Int) {
    done += count
    if count > 0 { counters.count(counter, count) }
  }
}
