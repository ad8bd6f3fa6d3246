import LocalTime

/// The time from one instant on and before another in which a push may go out.
struct PushWindow: Sendable, Equatable {
  let from: Instant
  let to: Instant

  init(from: Instant, to: Instant) {
    (self.from, self.to) = (from, to)
  }

  init(from: Instant, minutes: Int) {
    self.init(from: from, to: from.advanced(bySeconds: 60 * minutes))
  }

  /// The window of these minutes, counted since 1970.
  init(minutes: Range<Int>) {
    from = Instant(secondsSince1970: 60 * minutes.lowerBound)
    to = Instant(secondsSince1970: 60 * minutes.upperBound)
  }

  /// The whole minutes that lie in it, counted since 1970.
  var minutes: Range<Int> {
    let first = Self.minute(atOrBefore: from)
    let start = Self.instant(of: first) == from ? first : first + 1
    return start..<max(start, Self.minute(atOrBefore: to))
  }

  static func instant(of minute: Int) -> Instant { Instant(secondsSince1970: 60 * minute) }

  private static func minute(atOrBefore instant: Instant) -> Int {
    let seconds = instant.secondsSince1970
    return (seconds - (seconds % 60 + 60) % 60) / 60
  }
}

extension PushWindow {
  /// The longest stretch of whole minutes that lie on `day` and outside of quiet hours, the earlier of
  /// two as long; nothing when there is none.
  func cut(to day: CivilDate, outside quiet: QuietHours, in zone: Zone) -> PushWindow? {
    var (stretch, longest) = (0..<0, 0..<0)
    let clock = LocalMinutes(minutes, in: zone)
    for minute in minutes {
      let local = clock.local(at: minute)
      if local.date == day, !quiet.contains(local.minuteOfDay) {
        stretch = (stretch.isEmpty ? minute : stretch.lowerBound)..<(minute + 1)
      } else {
        stretch = 0..<0
      }
      if stretch.count > longest.count { longest = stretch }
    }
    return longest.isEmpty ? nil : PushWindow(minutes: longest)
  }
}
