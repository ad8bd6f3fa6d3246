import JobKit
import LocalTime
internal import Migrations

/// Decides the pushes of one learner, from facts alone, as of one instant.
///
/// The job, its explanation and its forecast all go by this.
struct PushPlanner: Sendable {
  let facts: PushFacts
  let zone: Zone
  let rules: PushRules

  /// The instant as of which everything is decided, and the learner's local day then.
  let now: Instant
  let today: CivilDate

  init(for facts: PushFacts, in zone: Zone, at now: Instant, by rules: PushRules) {
    (self.facts, self.zone, self.now, self.rules) = (facts, zone, now, rules)
    today = zone.localDay(of: now)
  }

  var quietHours: QuietHours { facts.quietHours ?? rules.quietHours }

  /// When the push of a day goes out.
  func plan(for day: CivilDate) -> PushPlan {
    let span = (start: zone.startOfDay(day), end: zone.startOfDay(day.advanced(by: 1)))
    let (kind, basis, wanted) = wish(for: day)
    let (cut, window) = cut(wanted, of: kind, to: day, span)
    let minute = window.map { choose(in: $0, on: day) }
    return PushPlan(
      day: day, kind: kind, basis: basis, evidence: latestStudy(for: day)?.end, wanted: wanted,
      cut: cut, window: window, minute: minute, third: window.flatMap(favouriteThird),
      dayStart: span.start, dayEnd: span.end)
  }

  /// The latest study that bears on a day: what came after a day that is over does not.
  ///
  /// A study of a later day than today is that of a learner who has flown west, and is the newest thing
  /// that happened.
  func latestStudy(for day: CivilDate) -> PushFacts.Study? {
    day < today ? facts.studies.last { $0.day <= day } : facts.studies.last
  }
}

extension PushPlanner {
  /// The window of a day before quiet hours are asked, and what it follows.
  private func wish(
    for day: CivilDate
  ) -> (kind: PushKind, basis: PushPlan.Basis, window: PushWindow) {
    guard let latest = latestStudy(for: day) else { return firstWish(for: day) }
    guard latest.day < day else {
      let start = latest.end.advanced(bySeconds: 60 * rules.delay)
      return (.followUp, .study, PushWindow(from: start, minutes: rules.length))
    }
    let basis = habit(before: day) ?? latestTime(of: latest)
    let start = instant(on: day, at: basis.secondOfDay).advanced(bySeconds: 60 * rules.delay)
    return (.reminder, basis, PushWindow(from: start, minutes: rules.length))
  }

  private func firstWish(
    for day: CivilDate
  ) -> (kind: PushKind, basis: PushPlan.Basis, window: PushWindow) {
    let basis: PushPlan.Basis =
      facts.preferredMinute.map { .preference(minuteOfDay: $0) }
      ?? .byDefault(minuteOfDay: rules.firstMinute)
    let start = instant(on: day, at: basis.secondOfDay)
    return (.first, basis, PushWindow(from: start, minutes: rules.length))
  }

  private func habit(before day: CivilDate) -> PushPlan.Basis? {
    let days = day.advanced(by: -rules.habitDays)..<day
    let minutes = facts.studies.filter { days.contains($0.day) }
      .map { zone.local(at: $0.end).secondOfDay / 60 }
    guard minutes.count >= rules.habitStudies, let median = CircularMedian.minute(of: minutes)
    else { return nil }
    return .habit(minuteOfDay: median, studies: minutes.count)
  }

  private func latestTime(of study: PushFacts.Study) -> PushPlan.Basis {
    .latestTime(secondOfDay: zone.local(at: study.end).secondOfDay)
  }

  func instant(on day: CivilDate, at secondOfDay: Int) -> Instant {
    zone.instant(of: LocalDateTime(date: day, secondOfDay: secondOfDay))
  }
}

extension PushPlanner {
  /// What is left of a window on its day and outside of quiet hours, or of its hurried substitute.
  private func cut(
    _ wanted: PushWindow, of kind: PushKind, to day: CivilDate,
    _ span: (start: Instant, end: Instant)
  ) -> (PushPlan.Cut, PushWindow?) {
    if let window = wanted.cut(to: day, outside: quietHours, in: zone) {
      return (window.minutes == wanted.minutes ? .whole : .cut, window)
    }
    // No quiet hour has taken what does not lie on the day at all.
    let isOver = wanted.cut(to: day, outside: QuietHours(from: 0, to: 0), in: zone) == nil
    guard kind != .followUp else {
      guard isOver else { return (.nothing(.quietHours), nil) }
      return (.nothing(wanted.to <= span.start ? .windowPassed : .dayOver), nil)
    }
    let hurry: PushPlan.Hurry = isOver ? .dayOver : .quietHours
    guard let window = hurried(from: hurry, on: day, before: span.end) else {
      return (.nothing(.quietHours), nil)
    }
    return (.hurried(from: hurry), window)
  }

  /// The last minutes before quiet hours begin, or before the day ends.
  ///
  /// What hurries from the end of the day has quiet hours before it only when they reach midnight:
  /// others are those of its morning or noon, and their beginning is as good as a day too early.
  private func hurried(
    from hurry: PushPlan.Hurry, on day: CivilDate, before end: Instant
  ) -> PushWindow? {
    let isBeforeQuiet = hurry == .quietHours || quietHours.reachMidnight
    let last = isBeforeQuiet ? instant(on: day, at: 60 * quietHours.from) : end
    return PushWindow(from: last.advanced(bySeconds: -60 * rules.length), to: last)
      .cut(to: day, outside: quietHours, in: zone)
  }
}

extension PushPlanner {
  /// The minute of a window that is the learner's on that day, always the same one.
  private func choose(in window: PushWindow, on day: CivilDate) -> Instant {
    let minutes = favouriteThird(of: window).map { window.third($0) } ?? window.minutes
    let hash = StableHash.of("\(facts.user) \(day.dayNumber)")
    return PushWindow.instant(of: minutes.lowerBound + Int(hash % UInt64(minutes.count)))
  }

  /// The third of a window of whose pushes the learner opened the greatest share, the earliest of several such.
  private func favouriteThird(of window: PushWindow) -> Int? {
    guard facts.openedThirds.count >= rules.opens, window.minutes.count >= 3 else { return nil }
    var best = (third: 0, share: -1.0)
    for third in 0..<3 {
      let handed = facts.handedThirds.count { $0 == third }
      guard handed > 0 else { continue }
      let share = Double(facts.openedThirds.count { $0 == third }) / Double(handed)
      if share > best.share { best = (third, share) }
    }
    return best.third
  }
}

extension PushWindow {
  /// The minutes of its first, second or last third, counted from 0.
  fileprivate func third(_ third: Int) -> Range<Int> {
    let start = minutes.lowerBound
    return (start + minutes.count * third / 3)..<(start + minutes.count * (third + 1) / 3)
  }
}

extension PushPlan.Basis {
  /// The local time of day that the window is reckoned from; of a study that is an instant, and no time.
  fileprivate var secondOfDay: Int {
    switch self {
    case .study: 0
    case .latestTime(let second): second
    case .habit(let minute, _), .preference(let minute), .byDefault(let minute): 60 * minute
    }
  }
}
