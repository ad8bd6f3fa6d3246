import LocalTime

extension StreakReducer {
  /// Comes to what holds at `instant`, when the studies of the days `arrived` were received: first the
  /// studies, then what a move has skipped, then the repairs that were accepted, then the day that is over.
  ///
  /// Asked again about an instant it comes to the same, so only what is new changes anything.
  mutating func settle(
    at instant: Instant, arrived: [CivilDate], isAgain: Bool
  ) throws(HistoryTooShort) {
    var step = StreakStep(at: instant, before: changes.streak, arrived: arrived)
    if isAgain { step.gone = latestGone(of: changes.streak.chain) }
    let (entries, before) = (tokenBalance.entries.count, repairs)
    try giveBack(in: &step)
    try travel(in: &step)
    try rewardChains(of: step, isAgain: isAgain)
    try accept(in: &step)
    try judge(in: &step)
    try close(step, isChange: tokenBalance.entries.count > entries || repairs != before)
  }

  /// The latest day of a chain that was studied and is no more; nothing where not all studies are read.
  private func latestGone(of chain: Chain?) -> CivilDate? {
    guard facts.studiesFrom == nil, let chain,
      days.studied.count(where: chain.covers) < chain.length
    else { return nil }
    var day = chain.lastDay
    while day > chain.startedOn, days.holds(day) || !calendar.zone.dayExists(day) {
      day = day.advanced(by: -1)
    }
    return day
  }

  /// Undoes repairs of days that were studied after all, and what was put down to a move.
  private mutating func giveBack(in step: inout StreakStep) throws(HistoryTooShort) {
    for day in repairs.keys.sorted() where days.studied.contains(day) {
      if repairs[day]?.state == .repaired {
        days.replaceRepair(of: day)
        tokenBalance.giveBack(day, of: try days.chain(around: day), at: step.at)
        endRepair(of: day, as: .returned, at: step.at)
        step.gaveBack = true
      } else if repairs[day]?.state == .travelled {
        days.replaceRepair(of: day)
        endRepair(of: day, as: .withdrawn, at: step.at)
        step.gaveBack = true
      } else if repairs[day]?.isOpen == true {
        endRepair(of: day, as: .withdrawn, at: step.at)
      }
    }
  }

  /// Rewards the chains that have grown; those that ended long ago too.
  private mutating func rewardChains(
    of step: StreakStep, isAgain: Bool
  ) throws(HistoryTooShort) {
    if isAgain, facts.studiesFrom == nil {
      for chain in try days.chains() { try reward(chain, at: step.at) }
    }
    for day in step.arrived + step.travelled {
      try reward(try days.chain(around: day), at: step.at)
    }
  }

  private mutating func reward(_ chain: Chain, at instant: Instant) throws(HistoryTooShort) {
    changes.streak.longest = max(changes.streak.longest, chain.length)
    try tokenBalance.reward(chain, at: instant)
  }

  /// Spends a token on each day whose repair was accepted in time and has a chain to repair.
  private mutating func accept(in step: inout StreakStep) throws(HistoryTooShort) {
    for day in repairs.keys.sorted() {
      guard let repair = repairs[day], repair.state == .accepted,
        let accepted = repair.acceptedAt, accepted <= step.at,
        accepted < calendar.end(of: calendar.next(after: day)),
        try hasChain(on: calendar.previous(before: day)),
        tokenBalance.spend(on: day, at: step.at)
      else { continue }
      days.repair(day)
      endRepair(of: day, as: .repaired, at: step.at)
      step.repaired.append((day, .accepted))
    }
  }

  private mutating func endRepair(
    of day: CivilDate, as state: StreakRepair.State, at instant: Instant
  ) {
    repairs[day]?.state = state
    repairs[day]?.endedAt = instant
    changes.repairs[day] = repairs[day]
  }

  /// Finds the chain that goes on, or that the latest day that is over has broken.
  private mutating func judge(in step: inout StreakStep) throws(HistoryTooShort) {
    let over = lastDayOver(at: step.at)
    for day in repairs.keys.sorted() where day != over && repairs[day]?.isOpen == true {
      endRepair(of: day, as: day < over ? .lapsed : .withdrawn, at: step.at)
    }
    changes.streak.standing = try standing(over: over, in: &step)
    // Without a chain before it there is nothing to repair: a token would be spent on no streak.
    if changes.streak.missedDay != over, repairs[over]?.isOpen == true {
      endRepair(of: over, as: .withdrawn, at: step.at)
    }
  }

  private mutating func standing(
    over: CivilDate, in step: inout StreakStep
  ) throws(HistoryTooShort) -> Streak.Standing {
    if try hasChain(on: over) { return .kept(try days.chain(around: over)) }
    let previous = calendar.previous(before: over)
    if try hasChain(on: previous), offersRepair(of: over, in: &step) {
      let chain = try days.chain(around: previous)
      return days.repaired.contains(over)
        ? .kept(chain) : .repairable(chain, missed: over, until: calendar.next(after: over))
    }
    guard let next = days.firstStudied(after: over) else { return .none }
    return .kept(try days.chain(around: next))
  }

  /// Whether `day` is one of a chain: a repaired day is none by itself, when what was studied before it is gone.
  private mutating func hasChain(on day: CivilDate) throws(HistoryTooShort) -> Bool {
    guard try days.isFilled(day) else { return false }
    return try days.chain(around: day).length > 0
  }

  /// Whether a token can repair `day`, or has.
  private mutating func offersRepair(of day: CivilDate, in step: inout StreakStep) -> Bool {
    let state = repairs[day]?.state
    if state == .offered || state == .accepted { return true }
    guard state == nil || state == .withdrawn, tokenBalance.balance > 0 else { return false }
    // Whoever accepted what was then withdrawn, as they moved west, is not asked again.
    let accepted = repairs[day]?.acceptedAt
    repairs[day] = StreakRepair(day: day, state: .offered, offeredAt: step.at)
    changes.repairs[day] = repairs[day]
    guard facts.autoRepair || accepted != nil, tokenBalance.spend(on: day, at: step.at) else {
      return true
    }
    repairs[day]?.acceptedAt = step.at
    endRepair(of: day, as: .repaired, at: step.at)
    days.repair(day)
    step.repaired.append((day, accepted == nil ? .autoRepair : .accepted))
    return true
  }

  /// Writes down what has become of the streak.
  private mutating func close(_ step: StreakStep, isChange: Bool) throws(HistoryTooShort) {
    if let chain = changes.streak.chain { try reward(chain, at: step.at) }
    days.remember(changes.streak.chain)
    changes.streak.checkAt = nextCheck
    changes.events += step.events(to: changes.streak)
    changes.entries = tokenBalance.entries
    changes.awards = tokenBalance.awards
    changes.balance = tokenBalance.balance
    let isOther =
      changes.streak.standing != step.before.standing
      || changes.streak.longest != step.before.longest
    if isChange || isOther { changes.streak.changedAt = step.at }
  }

  /// When the learner's next day can be missed, or an offer lapses.
  var nextCheck: Instant? {
    switch changes.streak.standing {
    case .none: nil
    case .kept(let chain): end(of: calendar.next(after: chain.lastDay))
    case .repairable(_, let missed, _): calendar.end(of: calendar.next(after: missed))
    }
  }
}
