@testable import Jobs

import LocalTime
import TestSupport

/// One learner without a database: what was studied when, and what has been written of it.
struct StreakNotebook {
  var zone: Zone
  var autoRepairSince: Instant?

  var autoRepair: Bool {
    get { autoRepairSince != nil }
    set { autoRepairSince = newValue ? Instant(secondsSince1970: 0) : nil }
  }
  var rules = StreakRules()
  var studies: [StreakFacts.Session] = []
  var saved: Streak?
  var balance = 0
  var events: [StreakEvent] = []
  var entries: [TokenEntry] = []
  var awards: [Award] = []
  var repairs: [CivilDate: StreakRepair] = [:]

  /// Where the latest move was from, and when: of moves within two days the first.
  private var origin: (zone: Zone, leftAt: Instant)?

  /// For when the last run was, and of what it knew the learner to be.
  private var lastRun: Instant?
  private var lastHome: Home?

  private struct Home: Equatable {
    let zone: Zone
    let leftOtherAt: Instant?
    let autoRepairSince: Instant?
  }

  private var home: Home {
    Home(zone: zone, leftOtherAt: origin?.leftAt, autoRepairSince: autoRepairSince)
  }

  static let zones = Result { try ZoneDatabase(root: TestEnvironment.zoneinfo) }

  init(in zone: String = "UTC", tokens: Int = 0, autoRepair: Bool = false) throws {
    self.zone = try Self.zones.get().zone(named: zone)
    balance = tokens
    self.autoRepair = autoRepair
  }

  /// Studies on each of these days, received at noon in UTC.
  mutating func study(_ days: String...) throws {
    for day in days { try study(day, receivedAt: "\(day)T12:00:00Z") }
  }

  mutating func study(_ day: String, receivedAt received: String) throws {
    try study(day, endingAt: received, receivedAt: received)
  }

  mutating func study(_ day: String, endingAt end: String, receivedAt received: String) throws {
    studies.append(
      StreakFacts.Session(
        day: try CivilDate(day), endedAt: try Instant(end), receivedAt: try Instant(received)))
  }

  /// Studies until `end` where the learner lives then, and is heard of at once.
  mutating func study(endingAt end: String) throws {
    let day = zone.localDay(of: try Instant(end))
    try study("\(day)", endingAt: end, receivedAt: end)
  }

  mutating func move(to zone: String, at instant: String) throws {
    move(to: try Self.zones.get().zone(named: zone), at: try Instant(instant))
  }

  /// Moves, unless the learner lives there already.
  mutating func move(to place: Zone, at instant: Instant) {
    guard place != zone else { return }
    let isLayover = origin.map { $0.leftAt > instant - .seconds(2 * 86_400) } ?? false
    origin = (zone: isLayover ? origin?.zone ?? zone : zone, leftAt: instant)
    zone = place
  }

  mutating func accept(_ day: String, at instant: String) throws {
    let day = try CivilDate(day)
    repairs[day]?.state = .accepted
    repairs[day]?.acceptedAt = try Instant(instant)
  }

  /// Writes down what a run for this instant decides; with a look back it reads only the days since.
  mutating func update(at instant: String, lookBack days: Int? = nil) throws {
    try update(at: Instant(instant), lookBack: days)
  }

  mutating func update(at moment: Instant, lookBack: Int? = nil) throws {
    do throws(HistoryTooShort) {
      var from = knownFrom(at: moment, lookBack: lookBack)
      let isQuiet = from != nil && saved?.chain != nil && !hasNews(at: moment)
      if isQuiet { from = saved?.chain?.lastDay.advanced(by: 1) }
      var facts = facts(at: moment, from: from)
      facts.isQuiet = isQuiet
      apply(try StreakReducer.changes(facts, by: rules))
    } catch {
      guard lookBack != nil else { throw error }
      apply(try StreakReducer.changes(facts(at: moment, from: nil), by: rules))
    }
    lastRun = moment
    lastHome = home
  }

  /// Whether something has arrived since the last run, or the learner is another.
  private func hasNews(at moment: Instant) -> Bool {
    lastHome != home
      || repairs.values.contains { $0.state == .accepted }
      || studies.contains { study in
        study.receivedAt <= moment && lastRun.map { study.receivedAt > $0 } ?? true
      }
  }

  /// The first day that is read; nothing where everything is, as what has arrived since may be of days before.
  private func knownFrom(at moment: Instant, lookBack: Int?) -> CivilDate? {
    guard let lookBack, let saved, let lastRun else { return nil }
    let from = zone.localDay(of: saved.changedAt).advanced(by: -lookBack)
    let isLate = studies.contains {
      $0.receivedAt > lastRun && $0.receivedAt <= moment && $0.day < from
    }
    return isLate ? nil : from
  }

  private func facts(at moment: Instant, from: CivilDate?) -> StreakFacts {
    let upTo = max(moment, saved?.changedAt ?? moment)
    let seen = studies.filter { study in
      study.receivedAt <= upTo && (from.map { study.day >= $0 } ?? true)
    }
    return StreakFacts(
      learner: 1, zone: zone, move: move(upTo: upTo, from: from),
      autoRepairSince: autoRepairSince, upTo: upTo, saved: saved, balance: balance,
      events: events.count, entries: Set(entries.map(\.key)), reached: from == nil ? reached : nil,
      repairs: Array(repairs.values),
      studies: Self.firsts(of: seen), studiesFrom: from)
  }

  /// The latest move, and what is known of the studies from the day before `from` on.
  private func move(upTo: Instant, from: CivilDate?) -> StreakFacts.Move? {
    guard let origin else { return nil }
    let seen = studies.filter { study in
      study.receivedAt <= upTo && (from.map { study.day >= $0.advanced(by: -1) } ?? true)
    }
    return StreakFacts.Move(from: origin.zone, at: origin.leftAt, among: seen)
  }

  private var reached: [StreakFacts.Reached] {
    awards.filter { $0.reason == .milestone }.map {
      .init(startedOn: $0.startedOn, days: $0.days, kind: $0.kind)
    }
  }

  private static func firsts(of studies: [StreakFacts.Session]) -> [StreakFacts.Study] {
    Dictionary(grouping: studies, by: \.day).compactMap { day, studies in
      studies.map(\.receivedAt).min().map { StreakFacts.Study(day: day, receivedAt: $0) }
    }.sorted { ($0.receivedAt, $0.day) < ($1.receivedAt, $1.day) }
  }

  private mutating func apply(_ changes: StreakChanges) {
    // A learner who has never studied has no row.
    if changes.streak.longest > 0 { saved = changes.streak }
    balance = changes.balance
    events += changes.events
    entries += changes.entries
    let known = Set(awards.map(\.key))
    awards += changes.awards.filter { !known.contains($0.key) }
    repairs.merge(changes.repairs) { _, new in new }
  }
}

extension StreakNotebook {
  /// The streak in one line: `5 from 2026-03-01 through 2026-03-05`, or `none`.
  var line: String {
    guard let saved, let chain = saved.chain else { return "none" }
    let missed = saved.missedDay.map { ", \($0) can be repaired" } ?? ""
    return "\(chain.length) from \(chain.startedOn) through \(chain.lastDay)\(missed)"
  }

  /// The events in one line each: `reset 2026-03-06 missed_without_token 5-0`.
  var story: [String] {
    events.map { event in
      "\(event.kind.rawValue) \(event.day) \(event.cause.rawValue)"
        + " \(event.lengthBefore)-\(event.lengthAfter)"
    }
  }

  var ledger: [String] { entries.map { "\($0.key) \($0.reason.rawValue)" } }

  var gifts: [String] {
    awards.map { "\($0.startedOn) \($0.days) \($0.kind.rawValue) \($0.reason.rawValue)" }
  }
}

extension Award {
  /// What an award is given once for.
  fileprivate var key: String {
    "\(startedOn) \(days) \(kind.rawValue) \(reason.rawValue)"
  }
}
