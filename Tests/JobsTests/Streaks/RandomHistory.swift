@testable import Jobs

import LocalTime
import TestSupport

/// A learner's months of study, made up from a seed: habits, gaps, and phones that were offline for days.
struct RandomHistory {
  private var random: SplitMix
  private let home: Zone
  let autoRepair: Bool

  /// Where the learner lives from when on; nothing for one who stays.
  let flight: Flight?
  private(set) var studies: [StreakFacts.Session] = []

  struct Flight {
    let place: Zone
    let at: Instant
  }

  static let start = 20_518

  static let zones = [
    "UTC", "Asia/Seoul", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu",
  ]

  init(
    seed: UInt64, days: Int = 50, flies: Bool = false, among zones: [String] = Self.zones
  ) throws {
    random = SplitMix(state: seed)
    home = try Self.place(&random, among: zones)
    autoRepair = Bool.random(using: &random)
    let habit = Double.random(in: 0.7...0.98, using: &random)
    flight =
      flies
      ? Flight(
        place: try Self.place(&random, among: zones),
        at: Instant(
          secondsSince1970: Self.start * 86_400
            + Int.random(in: 0..<days * 86_400, using: &random)))
      : nil
    for day in 0..<days where Double.random(in: 0..<1, using: &random) < habit {
      study(CivilDate(dayNumber: Self.start + day))
    }
  }

  private static func place(_ random: inout SplitMix, among zones: [String]) throws -> Zone {
    try StreakNotebook.zones.get().zone(named: zones.randomElement(using: &random) ?? "UTC")
  }

  var zone: String { home.name }

  private func place(at instant: Instant) -> Zone {
    guard let flight, instant >= flight.at else { return home }
    return flight.place
  }

  private mutating func study(_ day: CivilDate) {
    let noon = Zone.utc.startOfDay(day).advanced(bySeconds: 43_200)
    let end = place(at: noon).startOfDay(day).advanced(
      bySeconds: 60 * Int.random(in: 0..<1439, using: &random))
    let delay =
      switch Int.random(in: 0..<10, using: &random) {
      case 0: Int.random(in: 0..<5 * 86_400, using: &random)
      case 1, 2: Int.random(in: 0..<10 * 3600, using: &random)
      default: Int.random(in: 0..<60, using: &random)
      }
    let received = end.advanced(bySeconds: delay)
    note(end, receivedAt: received)
    if Int.random(in: 0..<5, using: &random) == 0 {
      let wait = Int.random(in: 0..<86_400, using: &random)
      note(end.advanced(bySeconds: wait / 8), receivedAt: received.advanced(bySeconds: wait))
    }
  }

  /// A study is one of the day that it ended on, where the learner was then.
  private mutating func note(_ end: Instant, receivedAt received: Instant) {
    studies.append(
      StreakFacts.Session(
        day: place(at: end).localDay(of: end), endedAt: end, receivedAt: received))
  }

  /// The moments of some runs, in order: mostly each quarter of an hour or so, with long silences.
  mutating func runs(through end: Instant) -> [Instant] {
    var runs: [Instant] = []
    var next = Instant(secondsSince1970: Self.start * 86_400)
    while next < end {
      runs.append(next)
      let isSilence = Int.random(in: 0..<40, using: &random) == 0
      let wait = isSilence ? 3 * 86_400 : 4 * 3600
      next = next.advanced(bySeconds: 900 * Int.random(in: 1...wait / 900, using: &random))
    }
    return runs + [end]
  }

  mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }
}
