@testable import Jobs

import LocalTime
import Testing

@Suite("Streaks against a naive count")
struct StreakOracleTests {
  private static let end = Instant(secondsSince1970: (RandomHistory.start + 60) * 86_400)

  /// From the seed 150 on learners fly: a run knows where they live as of then, and a later one where from.
  @Test(arguments: 0..<300)
  func `whatever arrives whenever and whenever runs look, it ends as counted day by day`(
    seed: Int
  ) throws {
    try hold(RandomHistory(seed: UInt64(seed), flies: seed >= 150))
  }

  @Test(arguments: 0..<120)
  func `so it does for who moves over more than 24 hours, or back`(seed: Int) throws {
    try hold(
      RandomHistory(
        seed: UInt64(2000 + seed), flies: true, among: ["Pacific/Pago_Pago", "Pacific/Kiritimati"]))
  }

  private func hold(_ history: RandomHistory) throws {
    var history = history
    var learner = try StreakNotebook(in: history.zone, autoRepair: history.autoRepair)
    learner.studies = history.studies
    let (home, runs) = (learner.zone, history.runs(through: Self.end))
    let accepted = try live(&learner, by: &history, in: runs)
    var naive = NaiveStreak(
      zone: home, autoRepair: learner.autoRepair, studies: history.studies, accepted: accepted)
    if let flight = history.flight {
      if let last = runs.last(where: { $0 < flight.at }) { naive.live(until: last) }
      naive.move(to: flight.place, at: flight.at)
    }
    naive.live(until: Self.end)

    #expect(learner.line == naive.line)
    #expect(learner.saved?.longest == naive.longest && learner.balance == naive.balance)
    #expect(Set(learner.entries.map(\.key)) == naive.ledger)
    #expect(Set(learner.gifts.filter { !$0.hasSuffix("returned") }) == naive.gifts)
    #expect(learner.states == naive.repairs)
  }

  /// Lets these runs write down what they decide; returns which offers were accepted, and when.
  private func live(
    _ learner: inout StreakNotebook, by history: inout RandomHistory, in runs: [Instant]
  ) throws -> [CivilDate: Instant] {
    var accepted: [CivilDate: Instant] = [:]
    for (run, next) in zip(runs, runs.dropFirst() + [Self.end]) {
      if let flight = history.flight, flight.at <= run {
        learner.move(to: flight.place, at: flight.at)
      }
      try learner.update(at: run, lookBack: history.chance(3) ? nil : 2)
      // What is accepted between the last run that knows the old zone and the first that does not would be decided
      // by the new one at an instant before it was.
      let isOnTheWay = history.flight.map { run < $0.at && $0.at <= next } ?? false
      guard history.chance(2), let offer = learner.repairs.values.first(where: \.isOpen),
        offer.state == .offered, !isOnTheWay
      else { continue }
      accepted[offer.day] = run + .seconds(1)
      try learner.accept("\(offer.day)", at: "\(run + .seconds(1))")
    }
    return accepted
  }

  /// From the seed 80 on learners fly, and all runs know where to, also those before: the one at the end does, and
  /// others judge by the clocks of elsewhere.
  @Test(arguments: 0..<160)
  func `a single run at the end writes the same story as many in between`(
    seed: Int
  ) throws {
    let history = try RandomHistory(seed: UInt64(1000 + seed), days: 14, flies: seed >= 80)
    var late = try StreakNotebook(in: history.zone, autoRepair: history.autoRepair)
    late.studies = history.studies
    if let flight = history.flight { late.move(to: flight.place, at: flight.at) }
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
