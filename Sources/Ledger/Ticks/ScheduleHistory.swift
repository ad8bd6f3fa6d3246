public import JobKit
public import LocalTime

/// Which schedule a job had when, so that an audit of the past expects the ticks of then.
public struct ScheduleHistory {
  /// The schedules, each with the moment after which its ticks begin, oldest first.
  private var entries: [(since: Instant, schedule: Schedule?)]

  /// The history that the ledger tells; `present` is what holds where it tells nothing.
  ///
  /// Where a schedule can no longer be read, there is nothing to expect.
  public init(
    _ told: [(since: Instant, written: String)], present: Schedule, knownSince: Instant,
    zones: ZoneDatabase
  ) {
    guard !told.isEmpty else {
      entries = [(knownSince, present)]
      return
    }
    entries = told.map { ($0.since, Schedule(written: $0.written, zones: zones)) }
  }

  /// Whether this version can read every schedule of it.
  public var isReadable: Bool { entries.allSatisfy { $0.schedule != nil } }

  /// The same history, its first schedule taken for one that the job had always had.
  public var reachingBack: ScheduleHistory {
    var history = self
    if let first = entries.first {
      history.entries[0] = (Instant(microseconds: .min), first.schedule)
    }
    return history
  }

  /// The newest tick at or before a moment, by the schedule of then.
  public func newestTick(atOrBefore tick: Instant) -> Instant? {
    var end = tick
    for chapter in entries.reversed() where chapter.since < end {
      if let tick = chapter.schedule?.previous(before: end + .microseconds(1)),
        tick > chapter.since
      {
        return tick
      }
      end = chapter.since
    }
    return nil
  }

  /// The ticks in `(start, end]`, oldest first, the first `limit` of them.
  public func ticks(after start: Instant, through end: Instant, limit: Int) -> [Instant] {
    var ticks: [Instant] = []
    for (index, chapter) in entries.enumerated() {
      let next = index + 1 < entries.count ? entries[index + 1].since : end
      let (first, last) = (max(start, chapter.since), min(end, next))
      guard first < last, let schedule = chapter.schedule else { continue }
      ticks += schedule.ticks(after: first, through: last, limit: limit - ticks.count)
    }
    return ticks
  }
}
