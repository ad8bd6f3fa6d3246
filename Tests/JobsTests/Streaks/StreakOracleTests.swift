@testable import Jobs

import LocalTime
import Testing

@Suite("Streaks against a naive count")
struct StreakOracleTests {
  private static let end = Instant(secondsSince1970: (RandomHistory.start + 60) * 86_400)

  @Test(arguments: 0..<150)
  func `whatever arrives whenever and whenever runs look, it ends as counted day by day`(
    seed: Int
  ) throws {
    var history = try RandomHistory(seed: UInt64(seed))
    var learner = try StreakNotebook(in: history.zone, autoRepair: history.autoRepair)
    learner.studies = history.studies
    var accepted: [CivilDate: Instant] = [:]
    for run in history.runs(through: Self.end) {
      try learner.update(at: run, lookBack: history.chance(3) ? nil : 2)
      guard history.chance(2), let offer = learner.repairs.values.first(where: \.isOpen),
        offer.state == .offered
      else { continue }
      accepted[offer.day] = run + .seconds(1)
      try learner.accept("\(offer.day)", at: "\(run + .seconds(1))")
    }
    var naive = NaiveStreak(
      zone: learner.zone, autoRepair: learner.autoRepair, studies: history.studies,
      accepted: accepted)
    naive.live(until: Self.end)

    #expect(learner.line == naive.line)
    #expect(learner.saved?.longest == naive.longest && learner.balance == naive.balance)
    #expect(Set(learner.entries.map(\.key)) == naive.ledger)
    #expect(Set(learner.gifts.filter { !$0.hasSuffix("returned") }) == naive.gifts)
    #expect(learner.states == naive.repairs)
  }

  @Test(arguments: 0..<80)
  func `a single run at the end writes the same story as many in between`(
    seed: Int
  ) throws {
    let history = try RandomHistory(seed: UInt64(1000 + seed), days: 14)
    var late = try StreakNotebook(in: history.zone, autoRepair: history.autoRepair)
    late.studies = history.studies
    var steady = late
    let start = Instant(secondsSince1970: RandomHistory.start * 86_400)
    let end = start.advanced(bySeconds: 20 * 86_400)
    for hour in 0...20 * 24 {
      try steady.update(at: start.advanced(bySeconds: hour * 3600), lookBack: 2)
    }

    try late.update(at: end)

    #expect(late.saved == steady.saved && late.events == steady.events)
    #expect(late.entries == steady.entries && late.repairs == steady.repairs)
    #expect(Set(late.awards).symmetricDifference(steady.awards) == [])
    #expect(late.balance == steady.balance)
  }
}

extension StreakNotebook {
  /// What became of each repair, as the naive count calls it.
  fileprivate var states: [String: String] {
    Dictionary(
      uniqueKeysWithValues: repairs.map { ("\($0)", $1.isOpen ? "open" : $1.state.rawValue) })
  }
}
