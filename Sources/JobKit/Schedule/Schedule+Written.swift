internal import Config
public import LocalTime

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
