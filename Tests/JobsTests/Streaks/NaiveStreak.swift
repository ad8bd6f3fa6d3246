@testable import Jobs

import LocalTime

/// The rules of streaks once more, as slowly and plainly as they can be written: at every instant at which
/// anything could happen everything is counted anew.
///
/// It shares no line with what it is held against, besides the clocks of zones.
struct NaiveStreak {
  let zone: Zone
  let autoRepair: Bool
  let studies: [StreakFacts.Study]
  let accepted: [CivilDate: Instant]

  private(set) var line = "none"
  private(set) var longest = 0
  private(set) var balance = 0
  private(set) var ledger: Set<String> = []
  private(set) var gifts: Set<String> = []
  private(set) var repairs: [String: String] = [:]

  /// The first day of the chain for each token that was earned, and for each milestone by its days.
  private var tokenStarts: [Int] = []
  private var milestoneStarts: [Int: [Int]] = [:]

  private var repaired: Set<Int> = []
  private var now = Instant(secondsSince1970: 0)

  init(
    zone: Zone, autoRepair: Bool, studies: [StreakFacts.Study], accepted: [CivilDate: Instant]
  ) {
    (self.zone, self.autoRepair) = (zone, autoRepair)
    (self.studies, self.accepted) = (studies, accepted)
  }

  mutating func live(until end: Instant) {
    guard let first = studies.map(\.day.dayNumber).min(),
      let last = studies.map(\.day.dayNumber).max()
    else { return }
    let ends = (first - 2...last + 6).map { lost($0) }
    let instants = Set(studies.map(\.receivedAt) + Array(accepted.values) + ends)
    for instant in instants.sorted() where instant <= end {
      now = instant
      look()
    }
  }

  /// When the day is lost for good.
  private func lost(_ day: Int) -> Instant {
    zone.startOfDay(CivilDate(dayNumber: day + 1)) + .seconds(3 * 3600)
  }

  private var studied: Set<Int> {
    Set(studies.filter { $0.receivedAt <= now }.map(\.day.dayNumber))
  }

  private mutating func look() {
    guard !studied.isEmpty else { return }
    for day in studied.sorted() {
      if repaired.remove(day) != nil {
        repairs[name(day)] = "returned"
        if balance < 3 { balance += 1 }
        ledger.insert("returned:\(name(day))")
      } else if repairs[name(day)] == "open" {
        repairs[name(day)] = "withdrawn"
      }
    }
    giveAll()
    for (day, at) in accepted where at <= now && at < lost(day.dayNumber + 1) {
      if repairs[name(day.dayNumber)] == "open", balance > 0 { repair(day.dayNumber) }
    }
    judge()
    giveAll()
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
      repairs[day] = "lapsed"
    }
    let filled = studied.union(repaired)
    guard !filled.contains(missed) else { return tell(around: missed) }
    if filled.contains(missed - 1), repairs[name(missed)] != "lapsed" {
      if repairs[name(missed)] == nil, balance > 0 {
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
    let (first, last) = ends(around: day)
    let length = (first...last).filter(studied.contains).count
    line = "\(length) from \(name(first)) through \(name(last))"
  }

  private func ends(around day: Int) -> (Int, Int) {
    let filled = studied.union(repaired)
    var (first, last) = (day, day)
    while filled.contains(first - 1) { first -= 1 }
    while filled.contains(last + 1) { last += 1 }
    return (first, last)
  }

  /// Gives each chain there is whatever its days have earned.
  private mutating func giveAll() {
    for day in studied.sorted() {
      let (first, last) = ends(around: day)
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
