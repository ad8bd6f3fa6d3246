import LocalTime
import Testing

@testable import Jobs

@Suite("Which patterns are recommended")
struct ReviewChoiceTests {
  private let today: CivilDate

  init() throws {
    today = try CivilDate("2026-03-10")
  }

  /// A standing after answers, of which the first so many are right.
  private func standing(
    _ pattern: Int, right: Int, of attempts: Int = 10, dueIn days: Int? = nil
  ) throws -> Standing {
    let words =
      String(repeating: "+", count: right) + String(repeating: "-", count: attempts - right)
    let measure = try #require(Measure(MeasureTests.answers(words), under: ReviewRules()))
    return Standing(
      pattern: pattern, measure: measure, weekBefore: nil, trend: .steady,
      box: days.map { LeitnerBox(box: 1, dueOn: today.advanced(by: $0)) },
      measuredAt: Instant(secondsSince1970: 0))
  }

  private func choice(
    _ standings: [Standing], done: [Int: Int] = [:], isFree: Bool = false,
    rules: ReviewRules = ReviewRules()
  ) -> ReviewChoice {
    ReviewChoice(among: standings, done: done, dueBy: today, isFree: isFree, under: rules)
  }

  private func ranks(_ choice: ReviewChoice) -> [[Int]] {
    choice.reviews.map { [$0.rank, $0.pattern] }
  }

  @Test func `the three weakest are recommended, the weakest first`() throws {
    let choice = choice([
      try standing(1, right: 9), try standing(2, right: 2), try standing(3, right: 7),
      try standing(4, right: 4),
    ])

    #expect(ranks(choice) == [[1, 2], [2, 4], [3, 3]])
    #expect(choice.verdicts.last?.decision == .strongerThanOthers)
  }

  @Test func `of patterns as weak as each other the one that is numbered first comes first`() throws
  {
    let choice = choice([try standing(9, right: 5), try standing(4, right: 5)])

    #expect(ranks(choice) == [[1, 4], [2, 9]])
  }

  @Test(arguments: [(4, []), (5, [[1, 1]])])
  func `a pattern is recommended from its fifth attempt on`(
    attempts: Int, recommended: [[Int]]
  ) throws {
    let choice = choice([try standing(1, right: 0, of: attempts)])

    #expect(ranks(choice) == recommended)
    #expect((choice.verdicts[0].decision == .collecting) == recommended.isEmpty)
  }

  @Test(arguments: [(true, [false, true, true]), (false, [false, false, false])])
  func `on a free plan all but the first are locked`(isFree: Bool, locked: [Bool]) throws {
    let standings = try (1...3).map { try standing($0, right: $0) }

    #expect(choice(standings, isFree: isFree).reviews.map(\.isLocked) == locked)
  }

  @Test func `what was done on the day keeps its rank, and others fill the ranks that are left`()
    throws
  {
    let standings = try (1...5).map { try standing($0, right: $0) }

    let choice = choice(standings, done: [1: 2])

    #expect(ranks(choice) == [[1, 2], [3, 3]])
    #expect(choice.verdicts[0].decision == .done(rank: 2))
  }

  @Test func `after three that are done a day has no more`() throws {
    let standings = try (1...5).map { try standing($0, right: $0) }

    #expect(choice(standings, done: [1: 1, 2: 2, 5: 3]).reviews.isEmpty)
  }

  @Test(arguments: [(-3, [[1, 1]]), (0, [[1, 1]]), (1, [])])
  func `a pattern in a box is recommended from the day on that it is due, after one attempt too`(
    days: Int, recommended: [[Int]]
  ) throws {
    let choice = choice([try standing(1, right: 1, of: 1, dueIn: days)])

    #expect(ranks(choice) == recommended)
    if days == 1 {
      #expect(choice.verdicts[0].decision == .notDue(until: today.advanced(by: 1)))
    }
  }

  @Test func `how many a day has is one of the rules`() throws {
    var rules = ReviewRules()
    rules.mostReviews = 1

    let choice = choice([try standing(1, right: 1), try standing(2, right: 2)], rules: rules)

    #expect(ranks(choice) == [[1, 1]])
  }
}
