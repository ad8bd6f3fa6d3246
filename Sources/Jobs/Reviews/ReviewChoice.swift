import LocalTime

/// Which patterns a learner should review on a day, and why not the others.
struct ReviewChoice: Equatable {
  /// What became of each pattern, the weakest first.
  let verdicts: [Verdict]

  struct Verdict: Equatable {
    let standing: Standing
    let decision: Decision
  }

  enum Decision: Equatable {
    case recommended(Review)
    /// It was reviewed on this day already, at that rank.
    case done(rank: Int)
    case collecting
    case notDue(until: CivilDate)
    /// Others are weaker.
    case strongerThanOthers
  }

  /// Chooses among patterns for the ranks of the day that are not done yet; what is in a box has to be due by
  /// a date.
  init(
    among standings: [Standing], done: [Int: Int], dueBy date: CivilDate, isFree: Bool,
    under rules: ReviewRules
  ) {
    var ranks = (1...3).prefix(rules.mostReviews).filter { !done.values.contains($0) }[...]
    let weakestFirst = standings.sorted {
      ($0.measure.conquest, $0.pattern) < ($1.measure.conquest, $1.pattern)
    }
    verdicts = weakestFirst.map { standing in
      if let rank = done[standing.pattern] {
        return Verdict(standing: standing, decision: .done(rank: rank))
      }
      if let obstacle = Self.obstacle(to: standing, dueBy: date, under: rules) {
        return Verdict(standing: standing, decision: obstacle)
      }
      guard let rank = ranks.popFirst() else {
        return Verdict(standing: standing, decision: .strongerThanOthers)
      }
      let review = Review(of: standing, rank: rank, isFree: isFree, under: rules)
      return Verdict(standing: standing, decision: .recommended(review))
    }
  }

  var reviews: [Review] {
    verdicts.compactMap { verdict in
      guard case .recommended(let review) = verdict.decision else { return nil }
      return review
    }
  }

  /// Why a pattern may not be recommended, whatever the others are.
  private static func obstacle(
    to standing: Standing, dueBy date: CivilDate, under rules: ReviewRules
  ) -> Decision? {
    if let box = standing.box { return box.dueOn > date ? .notDue(until: box.dueOn) : nil }
    return standing.measure.attempts < rules.fewestAttempts ? .collecting : nil
  }
}
