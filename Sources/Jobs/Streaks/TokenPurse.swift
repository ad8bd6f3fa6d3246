import LocalTime

/// The brain tokens of one learner, and what else the days of chains have earned.
///
/// Each entry has a key and each award its days, and none is made twice.
struct TokenPurse {
  private let rules: StreakRules
  private(set) var balance: Int
  private var keys: Set<String>

  /// Up to which length the days of a chain have been rewarded, by the day that it began.
  private var rewarded: [CivilDate: Int] = [:]
  private(set) var entries: [TokenEntry] = []
  private(set) var awards: [Award] = []

  init(_ facts: StreakFacts, by rules: StreakRules, rewarded chain: Chain?) {
    self.rules = rules
    balance = facts.balance
    keys = facts.entries
    if let chain { rewarded[chain.startedOn] = chain.length }
  }

  /// Gives what the days of `chain` have earned and was not given yet.
  mutating func reward(_ chain: Chain, at instant: Instant) {
    let days = rewarded[chain.startedOn, default: 0] + 1
    guard days <= chain.length else { return }
    rewarded[chain.startedOn] = chain.length
    for milestone in rules.milestones where (days...chain.length).contains(milestone.days) {
      award(milestone.kind, for: milestone.days, of: chain, because: .milestone, at: instant)
    }
    for days in days...chain.length where days % rules.daysForToken == 0 {
      earn(for: days, of: chain, at: instant)
    }
  }

  private mutating func earn(for days: Int, of chain: Chain, at instant: Instant) {
    guard keys.insert("earned:\(chain.startedOn):\(days)").inserted else { return }
    let isCapped = balance >= rules.mostTokens
    enter(
      "earned:\(chain.startedOn):\(days)", because: isCapped ? .capped : .earned, at: instant)
    award(
      isCapped ? .theme : .token, for: days, of: chain, because: isCapped ? .capped : .weekly,
      at: instant)
  }

  /// Spends a token on `day`; false when none is held.
  mutating func spend(on day: CivilDate, at instant: Instant) -> Bool {
    guard balance > 0, keys.insert("spent:\(day)").inserted else { return false }
    enter("spent:\(day)", because: .spent, at: instant)
    return true
  }

  /// Gives back the token that was spent on `day`, a day of `chain`.
  mutating func giveBack(_ day: CivilDate, of chain: Chain, at instant: Instant) {
    guard keys.insert("returned:\(day)").inserted else { return }
    let isCapped = balance >= rules.mostTokens
    enter("returned:\(day)", because: isCapped ? .capped : .returned, at: instant)
    if isCapped {
      award(.theme, for: chain.length, of: chain, because: .returned, at: instant)
    }
  }

  private mutating func enter(
    _ key: String, because reason: TokenEntry.Reason, at instant: Instant
  ) {
    let entry = TokenEntry(key: key, reason: reason, at: instant)
    entries.append(entry)
    balance += entry.amount
  }

  private mutating func award(
    _ kind: AwardKind, for days: Int, of chain: Chain, because reason: Award.Reason,
    at instant: Instant
  ) {
    awards.append(
      Award(startedOn: chain.startedOn, days: days, kind: kind, reason: reason, at: instant))
  }
}
