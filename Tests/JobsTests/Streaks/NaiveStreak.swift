@testable import Jobs

import LocalTime

/// The rules of streaks once more, as slowly and plainly as they can be written: at every instant at which
/// anything could happen everything is counted anew.
///
/// It shares no line with what it is held against, besides the clocks of zones.
struct NaiveStreak {
  private var zone: Zone
  let autoRepair: Bool
  let studies: [StreakFacts.Session]
  let accepted: [CivilDate: Instant]

  /// Where the learner lived before, and until when.
  private var left: (zone: Zone, at: Instant)?

  private(set) var line = "none"
  private(set) var longest = 0
  private(set) var balance = 0
  private(set) var ledger: Set<String> = []
  private(set) var gifts: Set<String> = []
  private(set) var repairs: [String: String] = [:]

  /// The first day of the chain for each token that was earned, and for each milestone by its days.
  private var tokenStarts: [Int] = []
  private var milestoneStarts: [Int: [Int]] = [:]

  /// The days of which a study has arrived by now.
  private var studied: Set<Int> = []
  private var repaired: Set<Int> = []
  private var travelled: Set<Int> = []

  /// The studies that have arrived by now, and the days that may have been flown over.
  private var arrived: [StreakFacts.Session] = []
  private var ways: [ClosedRange<Int>] = []

  /// The instant that is looked at, the latest that was, and the latest that has changed anything.
  private var now = Instant(secondsSince1970: 0)
  private var past: Instant?
  private var changed: Instant?

  init(
    zone: Zone, autoRepair: Bool, studies: [StreakFacts.Session], accepted: [CivilDate: Instant]
  ) {
    (self.zone, self.autoRepair) = (zone, autoRepair)
    (self.studies, self.accepted) = (studies, accepted)
  }

  mutating func live(until end: Instant) {
    guard let first = studies.map(\.day.dayNumber).min(),
      let last = studies.map(\.day.dayNumber).max()
    else { return }
    let ends = [zone, left?.zone ?? zone].flatMap { zone in
      (first - 2...last + 6).map { Self.end(of: $0, in: zone) }
    }
    let instants = Set(studies.map(\.receivedAt) + Array(accepted.values) + ends)
    for instant in instants.sorted() where instant <= end && past.map({ instant > $0 }) ?? true {
      now = instant
      look()
    }
    past = end
  }

  /// Lives on elsewhere: what has been since the latest change is looked at again, from there.
  mutating func move(to place: Zone, at instant: Instant) {
    left = (zone: zone, at: instant)
    zone = place
    past = changed
    guard let changed else { return }
    now = changed
    look()
  }

  private static func end(of day: Int, in zone: Zone) -> Instant {
    zone.startOfDay(CivilDate(dayNumber: day + 1)) + .seconds(3 * 3600)
  }

  /// When the day is lost for good: to who was on the way, when it is lost in both places.
  private func lost(_ day: Int) -> Instant {
    let end = Self.end(of: day, in: zone)
    guard let left, let way = ways.last(where: { $0.contains(day) }) else { return end }
    return max(end, Self.end(of: way.lowerBound, in: left.zone))
  }

  private var filled: Set<Int> { studied.union(repaired).union(travelled) }

  private mutating func look() {
    arrived = studies.filter { $0.receivedAt <= now }
    ways = waysFlown()
    studied = Set(arrived.map(\.day.dayNumber))
    guard !studied.isEmpty else { return }
    let before = (line, longest, ledger, repairs)
    settle()
    if before != (line, longest, ledger, repairs) { changed = now }
  }

  private mutating func settle() {
    for day in studied.sorted() {
      if repaired.remove(day) != nil {
        repairs[name(day)] = "returned"
        takeBack(day)
      } else if travelled.remove(day) != nil || repairs[name(day)] == "open" {
        repairs[name(day)] = "withdrawn"
      }
    }
    travel()
    giveAll()
    for (day, at) in accepted where at <= now && at < lost(day.dayNumber + 1) {
      if repairs[name(day.dayNumber)] == "open", balance > 0 { repair(day.dayNumber) }
    }
    judge()
    giveAll()
  }

  private mutating func takeBack(_ day: Int) {
    if balance < 3 { balance += 1 }
    ledger.insert("returned:\(name(day))")
  }

  /// The day or two after each study there that the learner may have flown over, in order: two when here it was two
  /// days later already, or when somebody studies three days later while there it is the next day.
  private func waysFlown() -> [ClosedRange<Int>] {
    guard let left else { return [] }
    let way = arrived.filter(isFromThere).map { study in
      let next = study.day.dayNumber + 1
      let isTwo =
        zone.localDay(of: study.endedAt).dayNumber > next
        || arrived.contains {
          $0.day.dayNumber == next + 2 && left.zone.localDay(of: $0.endedAt).dayNumber <= next
        }
      return next...(isTwo ? next + 1 : next)
    }
    return way.filter { days in
      let lastCall = [
        Self.end(of: days.lowerBound, in: left.zone), Self.end(of: days.upperBound + 1, in: zone),
      ]
      return lastCall.contains { left.at <= $0 }
    }.sorted { $0.lowerBound < $1.lowerBound }
  }

  /// Whether the calendar there was that of a study before the flight.
  private func isFromThere(_ study: StreakFacts.Session) -> Bool {
    guard let left, study.endedAt < left.at else { return false }
    let begun = left.zone.startOfDay(study.day)
    return study.endedAt >= begun
      && study.endedAt < left.zone.startOfDay(CivilDate(dayNumber: study.day.dayNumber + 1))
  }

  /// Days on the way that were no day there, or none here.
  private mutating func travel() {
    guard let left else { return }
    for way in ways {
      for day in way where !studied.contains(day) && !travelled.contains(day) {
        let wasItThere = arrived.contains {
          $0.day.dayNumber > day && $0.day.dayNumber <= way.upperBound + 1
            && left.zone.localDay(of: $0.endedAt).dayNumber <= way.lowerBound
        }
        let wasItHere = arrived.contains {
          $0.day.dayNumber == way.lowerBound - 1 && isFromThere($0)
            && zone.localDay(of: $0.endedAt).dayNumber >= day
        }
        guard wasItThere || (wasItHere && now >= lost(day)) else { continue }
        if repaired.remove(day) != nil { takeBack(day) }
        repairs[name(day)] = "travelled"
        travelled.insert(day)
      }
    }
  }

  private mutating func repair(_ day: Int) {
    balance -= 1
    ledger.insert("spent:\(name(day))")
    repairs[name(day)] = "repaired"
    repaired.insert(day)
  }

  private mutating func judge() {
    var missed = (studied.min() ?? 0) - 3
    while lost(missed + 1) <= now { missed += 1 }
    for (day, state) in repairs where state == "open" && day != name(missed) {
      repairs[day] = day < name(missed) ? "lapsed" : "withdrawn"
    }
    guard !filled.contains(missed) else { return tell(around: missed) }
    if filled.contains(missed - 1), repairs[name(missed)] != "lapsed" {
      if [nil, "withdrawn"].contains(repairs[name(missed)]), balance > 0 {
        repairs[name(missed)] = "open"
        if autoRepair { repair(missed) }
      }
      if repaired.contains(missed) { return tell(around: missed) }
      if repairs[name(missed)] == "open" {
        tell(around: missed - 1)
        line += ", \(name(missed)) can be repaired"
        return
      }
    }
    if let next = filled.filter({ $0 > missed }).min() { tell(around: next) } else { line = "none" }
  }

  private mutating func tell(around day: Int) {
    let (first, last) = Self.ends(around: day, among: filled)
    let length = (first...last).filter(studied.contains).count
    line = "\(length) from \(name(first)) through \(name(last))"
  }

  private static func ends(around day: Int, among filled: Set<Int>) -> (Int, Int) {
    var (first, last) = (day, day)
    while filled.contains(first - 1) { first -= 1 }
    while filled.contains(last + 1) { last += 1 }
    return (first, last)
  }

  /// Gives each chain there is whatever its days have earned.
  private mutating func giveAll() {
    let filled = filled
    var given = Int.min
    for day in studied.sorted() where day > given {
      let (first, last) = Self.ends(around: day, among: filled)
      given = last
      let length = (first...last).filter(studied.contains).count
      longest = max(longest, length)
      for (days, kind) in [(3, "title"), (7, "theme"), (14, "title"), (30, "theme")]
      where days <= length {
        if (milestoneStarts[days] ?? []).contains(where: (first...last).contains) { continue }
        milestoneStarts[days, default: []].append(first)
        gifts.insert("\(name(first)) \(days) \(kind) milestone")
      }
      let had = tokenStarts.filter((first...last).contains).count
      for token in 0..<max(0, length / 7 - had) { earn(7 * (had + token + 1), from: first) }
    }
  }

  private mutating func earn(_ days: Int, from first: Int) {
    tokenStarts.append(first)
    ledger.insert("earned:\(name(first)):\(days)")
    gifts.insert("\(name(first)) \(days) " + (balance < 3 ? "token weekly" : "theme capped"))
    if balance < 3 { balance += 1 }
  }

  private func name(_ day: Int) -> String { "\(CivilDate(dayNumber: day))" }
}
