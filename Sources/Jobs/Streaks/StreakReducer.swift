import LocalTime

/// Brings one learner's streak up to date: a pure function of what is known.
///
/// Everything happens at its own instant: a study when it was received, a missed day when its grace is
/// over, a repair when it was accepted. So a run that comes late, or sees much at once, decides what runs
/// in time would have decided.
struct StreakReducer {
  let facts: StreakFacts
  let rules: StreakRules
  let calendar: StudyCalendar
  var days: StreakDays
  var tokenBalance: TokenBalance
  var repairs: [CivilDate: StreakRepair]
  var changes: StreakChanges
  private(set) var zoneMove: ZoneMove?

  /// The studies that are still to come.
  private var coming: ArraySlice<StreakFacts.Study>

  private init(_ facts: StreakFacts, by rules: StreakRules) {
    let readsAll = facts.studiesFrom == nil
    let saved = facts.saved ?? Streak(changedAt: facts.upTo)
    self.facts = facts
    self.rules = rules
    calendar = StudyCalendar(zone: facts.zone, grace: rules.grace)
    days = StreakDays(
      in: facts.zone, knownFrom: facts.studiesFrom, known: readsAll ? nil : saved.chain)
    for repair in facts.repairs where repair.fillsDay { days.repair(repair.day) }
    tokenBalance = TokenBalance(facts, by: rules, rewarded: readsAll ? nil : saved.chain)
    repairs = Dictionary(
      facts.repairs.map { ($0.day, $0.accepted(sinceWanted: facts.autoRepairSince)) },
      uniquingKeysWith: { _, new in new })
    changes = StreakChanges(streak: saved, balance: facts.balance)
    zoneMove = ZoneMove(facts, grace: rules.grace)
    coming = facts.studies[...]
  }

  /// What has changed of the learner's streak, or `HistoryTooShort` when only the whole history tells.
  static func changes(
    _ facts: StreakFacts, by rules: StreakRules
  ) throws(HistoryTooShort) -> StreakChanges {
    var reducer = StreakReducer(facts, by: rules)
    try reducer.run()
    return reducer.changes
  }

  private mutating func run() throws(HistoryTooShort) {
    // What arrives may be about any of the days around a move, of which the first may lie before those that were read.
    if zoneMove != nil, !facts.isQuiet, facts.studiesFrom != nil { throw HistoryTooShort() }
    var last: Instant?
    if let saved = facts.saved {
      if let from = facts.newsFrom, hasMissed(after: from, of: saved) { throw HistoryTooShort() }
      _ = arrivals(through: saved.changedAt)
      if facts.isQuiet {
        // The grace, or the rules of the zone, may be others by now.
        changes.streak.checkAt = nextCheck.map { max($0, saved.changedAt) }
      } else {
        // Again at the instant of the last change: a study may have been committed late, the zone moved.
        try settle(at: saved.changedAt, arrived: [], isAgain: true)
      }
      last = saved.changedAt
    }
    while let next = next(after: last), next <= facts.upTo {
      try settle(at: next, arrived: arrivals(through: next), isAgain: false)
      last = next
    }
  }

  /// Whether a study of a day before the chain may have been committed after the streak had changed: what it
  /// makes of the chain of that day has not been rewarded then.
  private func hasMissed(after instant: Instant, of saved: Streak) -> Bool {
    coming.prefix { $0.receivedAt <= saved.changedAt }.contains { study in
      study.receivedAt > instant && saved.chain.map { study.day < $0.startedOn } ?? true
    }
  }

  /// The next instant at which something happens.
  private func next(after last: Instant?) -> Instant? {
    let accepted = repairs.values.compactMap { repair in
      repair.state == .accepted ? repair.acceptedAt : nil
    }
    let later = accepted.filter { accepted in last.map { accepted > $0 } ?? true }
    let moments = [
      coming.first?.receivedAt, zoneMove?.nextArrival, changes.streak.checkAt, later.min(),
    ]
    return moments.compactMap(\.self).min()
  }

  /// The days of the studies that were received up to `instant`, which count from now on.
  private mutating func arrivals(through instant: Instant) -> [CivilDate] {
    let arrived = coming.prefix { $0.receivedAt <= instant }.map(\.day)
    coming = coming.dropFirst(arrived.count)
    for day in arrived { days.study(day) }
    zoneMove?.arrive(through: instant)
    return arrived
  }
}

/// What a move from zone to zone means for days that were not studied.
extension StreakReducer {
  /// Lets chains go on over the days that the move has skipped: they cost no token, and are no study.
  mutating func travel(in step: inout StreakStep) throws(HistoryTooShort) {
    for day in zoneMove?.skipped(at: step.at) ?? [] where repairs[day]?.state != .travelled {
      guard try !days.isStudied(day) else { continue }
      if repairs[day]?.state == .repaired {
        tokenBalance.giveBack(day, of: try days.chain(around: day), at: step.at)
      }
      days.repair(day)
      repairs[day] = StreakRepair(
        day: day, state: .travelled, offeredAt: step.at, endedAt: step.at)
      changes.repairs[day] = repairs[day]
      step.travelled.append(day)
    }
  }

  /// The latest day that is over, as far as the move gives no more time to one before.
  func lastDayOver(at instant: Instant) -> CivilDate {
    let over = calendar.lastDayOver(at: instant)
    let waiting = zoneMove?.gaps.first { day in
      day <= over && instant < end(of: day) && !days.holds(day)
    }
    return waiting.map { calendar.previous(before: $0) } ?? over
  }

  /// When `day` can be told to be missed.
  func end(of day: CivilDate) -> Instant {
    zoneMove?.end(of: day) ?? calendar.end(of: day)
  }
}
