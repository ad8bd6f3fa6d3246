internal import Config
public import LocalTime

/// When a job is due: at times that a clock on the wall shows, or every so often.
public struct Schedule: Sendable, Hashable {
  /// By what the ticks follow one another.
  public let rhythm: Rhythm
  /// The zone whose clocks the rhythm follows; with an interval, the zone it is shown in.
  public let zone: Zone
  /// The days on which a tick is skipped.
  public private(set) var exclusions: Exclusions

  /// What makes the ticks of a schedule.
  public enum Rhythm: Sendable, Hashable {
    /// The fields of cron, by the clock of a zone.
    case cron(CronSchedule)
    /// A time that passes, whatever clocks show.
    case every(Interval)
  }

  /// A schedule by the clock of a zone.
  public init(_ cron: CronSchedule) {
    rhythm = .cron(cron)
    zone = cron.zone
    exclusions = Exclusions(in: cron.zone)
  }

  /// A schedule by time that passes; people see it in a zone.
  public init(every interval: Interval, shownIn zone: Zone) {
    rhythm = .every(interval)
    self.zone = zone
    exclusions = Exclusions(in: zone)
  }

  /// The same schedule, whose ticks on the days of these calendars are skipped.
  public func except(on calendars: [Calendar]) -> Schedule {
    var schedule = self
    schedule.exclusions = Exclusions(calendars, in: zone)
    return schedule
  }

  /// The same rhythm by the clocks of another zone, or by other rules of the same.
  public func moved(to zone: Zone) -> Schedule {
    let moved =
      switch rhythm {
      case .cron(let cron): Schedule(CronSchedule(cron.cron, in: zone, dst: cron.dst))
      case .every(let interval): Schedule(every: interval, shownIn: zone)
      }
    return moved.except(on: exclusions.calendars)
  }

  /// The first tick behind an instant, whether it is skipped or not.
  public func next(after instant: Instant) -> Instant? {
    switch rhythm {
    case .cron(let cron): cron.next(after: instant)?.instant
    case .every(let interval): interval.next(after: instant)
    }
  }

  /// The first tick after an instant that is not on an excluded day.
  public func nextRun(after instant: Instant) -> Instant? {
    var last = instant
    // Bounded, because of a schedule there may be nothing left: the 25th of December, say.
    for _ in 0..<Self.mostExclusions {
      guard let tick = next(after: last) else { return nil }
      guard let end = exclusions.end(at: tick) else { return tick }
      last = max(tick, end - .microseconds(1))
    }
    return nil
  }

  private static let mostExclusions = 1000

  /// The last tick before an instant, whether it is skipped or not.
  public func previous(before instant: Instant) -> Instant? {
    switch rhythm {
    case .cron(let cron): cron.previous(before: instant)?.instant
    case .every(let interval): interval.previous(before: instant)
    }
  }

  /// The ticks after one instant and up to and including another, the first `limit` of them.
  public func ticks(after start: Instant, through end: Instant, limit: Int) -> [Instant] {
    var ticks = [Instant]()
    var last = start
    while ticks.count < limit, let tick = next(after: last), tick <= end {
      ticks.append(tick)
      last = tick
    }
    return ticks
  }

  /// How many ticks there are from one instant up to and including another.
  public func count(from first: Instant, through last: Instant) -> Int {
    switch rhythm {
    case .every(let interval): interval.count(from: first, through: last)
    case .cron:
      // One after the other: how many there are depends on every change of the clocks between.
      count(after: first - .microseconds(1), through: last)
    }
  }

  private func count(after start: Instant, through end: Instant) -> Int {
    var (count, last) = (0, start)
    while let tick = next(after: last), tick <= end { (count, last) = (count + 1, tick) }
    return count
  }

  /// Whether it follows the time that passes, whatever clocks on the wall show.
  public var isElapsed: Bool {
    switch rhythm {
    case .cron(let cron): cron.cron.coversAllHours
    case .every: true
    }
  }

  /// Why the tick at this instant is where it is, when a change of the clocks decided it.
  public func note(on tick: Instant) -> String? {
    guard case .cron(let cron) = rhythm,
      let explained = cron.next(after: tick - .microseconds(1)), explained.instant == tick
    else { return nil }
    return explained.note
  }
}

extension Schedule: CustomStringConvertible {
  /// The schedule as the settings write it: `30 2 * * *`, or `every 15m`.
  public var description: String {
    switch rhythm {
    case .cron(let cron): cron.cron.text
    case .every(let interval): "every \(interval.length.written)"
    }
  }
}

extension Schedule {
  /// The whole schedule in words that can be read again: `30 2 * * *; Europe/Zurich; once`, or
  /// `every 15m; UTC`.
  public var written: String {
    switch rhythm {
    case .cron(let cron): "\(cron.cron.text); \(zone.name); \(cron.dst.rawValue)"
    case .every(let interval): "every \(interval.length.written); \(zone.name)"
    }
  }

  /// The schedule that was written so, or nothing when it cannot be read here: by an older program, or
  /// in a zone that is no more.
  public init?(written text: String, zones: ZoneDatabase) {
    self.init(written: text) { try? zones.zone(named: $0) }
  }

  /// The same, of a schedule in the zone of another: no file is read for it.
  package init?(written text: String, like other: Schedule) {
    self.init(written: text) { $0 == other.zone.name ? other.zone : nil }
    self = except(on: other.exclusions.calendars)
  }

  private init?(written text: String, zone find: (String) -> Zone?) {
    let words = text.split(separator: "; ").map(String.init)
    guard words.count >= 2, let zone = find(words[1]) else { return nil }
    if words[0].hasPrefix("every ") {
      guard let length = Duration(written: String(words[0].dropFirst(6))),
        let interval = Interval(length)
      else { return nil }
      self.init(every: interval, shownIn: zone)
    } else {
      guard words.count == 3, let cron = try? Cron(words[0]),
        let dst = CronSchedule.ClockChanges(rawValue: words[2])
      else { return nil }
      self.init(CronSchedule(cron, in: zone, dst: dst))
    }
  }
}
