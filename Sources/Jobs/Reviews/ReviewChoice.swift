import LocalTime

/// Which patterns a learner should review on a day, and why not the others.
struct ReviewChoice {
  private let standings: [Standing]

  /// Where the standings are, the weakest first: to order these is to move eight bytes each.
  private let weakestFirst: [Int]
  private let done: [Int: Int]
  private let date: CivilDate
  private let isFree: Bool
  private let rules: ReviewRules

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
    self.standings = standings
    weakestFirst = standings.indices.sorted {
      (standings[$0].measure.conquest, standings[$0].pattern)
        < (standings[$1].measure.conquest, standings[$1].pattern)
    }
    (self.done, self.date, self.isFree, self.rules) = (done, date, isFree, rules)
  }

  /// What became of each pattern, the weakest first.
  var verdicts: [Verdict] {
    var ranks = ranks
    return weakestFirst.map { place in
      let standing = standings[place]
      return Verdict(standing: standing, decision: decision(on: standing, for: &ranks))
    }
  }

  /// What is recommended: the others are not looked at once every rank of the day is taken.
  var reviews: [Review] {
    var (ranks, reviews) = (ranks, [Review]())
    for place in weakestFirst where !ranks.isEmpty {
      if case .recommended(let review) = decision(on: standings[place], for: &ranks) {
        reviews.append(review)
      }
    }
    return reviews
  }

  private var ranks: ArraySlice<Int> {
    (1...3).prefix(rules.mostReviews).filter { !done.values.contains($0) }[...]
  }

  private func decision(on standing: Standing, for ranks: inout ArraySlice<Int>) -> Decision {
    if let rank = done[standing.pattern] { return .done(rank: rank) }
    if let obstacle = Self.obstacle(to: standing, dueBy: date, under: rules) { return obstacle }
    guard let rank = ranks.popFirst() else { return .strongerThanOthers }
    return .recommended(Review(of: standing, rank: rank, isFree: isFree, under: rules))
  }

  /// Why a pattern may not be recommended, whatever the others are.
  private static func obstacle(
    to standing: Standing, dueBy date: CivilDate, under rules: ReviewRules
  ) -> Decision? {
    if let box = standing.box { return box.dueOn > date ? .notDue(until: box.dueOn) : nil }
    return standing.measure.attempts < rules.fewestAttempts ? .collecting : nil
  }
}
