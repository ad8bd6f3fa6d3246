import LocalTime

/// The brain tokens of one learner, and what else the days of chains have earned.
///
/// Each entry has a key and each award its days, and none is made twice. A chain that begins on another day
/// than it did, as when a study of the day before arrives late, has been given what it was given then.
struct TokenBalance {
  private let rules: StreakRules
  private(set) var balance: Int
  private var keys: Set<String>

  /// Up to which length the days of a chain have been rewarded, by the day that it began.
  private var rewarded: [CivilDate: Int] = [:]
  private(set) var entries: [TokenEntry] = []
  private(set) var awards: [Award] = []

  /// The milestones that have been given for, as far as they were read.
  private var reached: [StreakFacts.Reached]
  private let knowsAllReached: Bool

  /// The beginning of the chain that was the newest: no milestone was given within it beyond its length.
  private let newestBegan: CivilDate?

  init(_ facts: StreakFacts, by rules: StreakRules, rewarded chain: Chain?) {
    self.rules = rules
    balance = facts.balance
    keys = facts.entries
    reached = facts.reached ?? []
    knowsAllReached = facts.reached != nil
    newestBegan = chain?.startedOn
    if let chain { rewarded[chain.startedOn] = chain.length }
  }

  /// Gives what the days of `chain` have earned and was not given yet.
  mutating func reward(_ chain: Chain, at instant: Instant) throws(HistoryTooShort) {
    let known = rewarded[chain.startedOn] ?? 0
    guard chain.length > known else { return }
    let days = known + 1...chain.length
    let milestones = rules.milestones.filter { days.contains($0.days) }
    if chain.startedOn != newestBegan, !knowsAllReached, !milestones.isEmpty {
      throw HistoryTooShort()
    }
    rewarded[chain.startedOn] = chain.length
    for milestone in milestones { reach(milestone, in: chain, at: instant) }
    earn(for: days.filter { $0 % rules.daysForToken == 0 }, of: chain, at: instant)
  }

  private mutating func reach(
    _ milestone: StreakRules.Milestone, in chain: Chain, at instant: Instant
  ) {
    let isGiven = reached.contains {
      $0.days == milestone.days && $0.kind == milestone.kind && chain.covers($0.startedOn)
    }
    guard !isGiven else { return }
    reached.append(
      .init(startedOn: chain.startedOn, days: milestone.days, kind: milestone.kind))
    award(milestone.kind, for: milestone.days, of: chain, because: .milestone, at: instant)
  }

  /// Gives a token for each of these days of `chain`, the last ones first that it has no token for.
  private mutating func earn(for days: [Int], of chain: Chain, at instant: Instant) {
    guard !days.isEmpty else { return }
    let missing = chain.length / rules.daysForToken - tokens(earnedIn: chain)
    for days in days.suffix(max(0, missing)) { earn(for: days, of: chain, at: instant) }
  }

  /// How many tokens were earned by chains that began on a day of this one.
  private func tokens(earnedIn chain: Chain) -> Int {
    keys.count { key in
      let words = key.split(separator: ":")
      guard words.count == 3, words[0] == "earned", let start = try? CivilDate(words[1]) else {
        return false
      }
      return chain.covers(start)
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
