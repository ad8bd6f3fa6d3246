public import JobKit
public import LocalTime
public import Postgres

/// A time in which no daemon was seen, as the ledger tells of it.
public struct OutageRecord: Sendable, Equatable {
  public let range: Range<Instant>

  /// For how many seconds of it daemons were back for a moment and decided ticks.
  public let interrupted: Duration

  /// Whether no daemon was away: one was stopped, or cut off from the database.
  public let hadDaemon: Bool

  /// How many ticks were missed in it, or right beside it.
  public fileprivate(set) var missed = 0

  fileprivate let id: Int

  /// How long it was without these, in whole seconds, as the message of it says.
  public var length: Duration {
    NoticeMessage.Outage.length(
      from: range.lowerBound, to: range.upperBound, without: interrupted)
  }

  fileprivate init(_ row: Row) throws(PostgresError) {
    let start = try row["began_at", as: Instant.self]
    range = start..<max(start, try row["ended_at"])
    interrupted = .seconds(try row["interrupted_seconds", as: Double.self].rounded())
    hadDaemon = try row["had_daemon"]
    id = try row["id"]
  }
}

extension Ledger {
  /// The outages that were over by `now` and of which a share lies in `[start, end)`, whole, the oldest first.
  ///
  /// Of a row of many ticks that reaches beyond an outage those count that lie in there, by the schedule of the job.
  /// What ended in the future was noted by a clock that was ahead.
  public static func outages(
    from start: Instant, to end: Instant, at now: Instant, by schedules: [JobName: Schedule] = [:],
    on connection: borrowing Connection
  ) throws(PostgresError) -> [OutageRecord] {
    var outages: [OutageRecord] = []
    let rows = try connection.run(
      """
      SELECT id, began_at, ended_at, interrupted_seconds, had_daemon FROM jobkit.outage
      WHERE began_at < \(end) AND ended_at > \(start) AND ended_at <= \(now) ORDER BY began_at, id
      """)
    for row in rows { outages.append(try OutageRecord(row)) }
    guard let first = outages.first?.range.lowerBound else { return [] }
    for row in try connection.run(missed(in: outages.map(\.id), from: first)) {
      let id = try row["outage", as: Int.self]
      let ticks = try CollapsedTicks(row)
      guard let index = outages.firstIndex(where: { $0.id == id }) else { continue }
      outages[index].missed += ticks.count(in: outages[index].range, by: schedules[ticks.job])
    }
    return outages
  }

  /// The rows of ticks that were missed in outages, one of many ticks with each outage that it reaches into.
  private static func missed(in outages: [Int], from start: Instant) -> Statement {
    """
    SELECT outage.id AS outage, run.job, coalesce(first_tick, scheduled_for) AS first_tick,
      scheduled_for, ticks, 'missed' AS fate
    FROM jobkit.run JOIN jobkit.outage
      ON scheduled_for >= began_at - interval '1 minute' AND back_at <= decided_at + interval '1 minute'
      AND coalesce(first_tick, scheduled_for) <= ended_at + interval '1 minute'
    WHERE outage.id = ANY(\(outages)) AND scheduled_for >= \(start - .seconds(60))
      AND trigger = 'schedule' AND coalesce(fate, state) = 'missed' AND \(wasNotSeen)
      AND (ticks > 1 OR outage.id = (SELECT id FROM (\(outageOfRun)) AS nearest))
    """
  }
}

extension CollapsedTicks {
  /// How many of them were missed in an outage: all, where they lie in it or right beside it.
  fileprivate func count(in outage: Range<Instant>, by schedule: Schedule?) -> Int {
    let margin = Duration.seconds(60)
    let isInside = first >= outage.lowerBound - margin && last <= outage.upperBound + margin
    guard !isInside else { return ticks }
    return count(from: outage.lowerBound, to: outage.upperBound + .microseconds(1), by: schedule)
  }
}
