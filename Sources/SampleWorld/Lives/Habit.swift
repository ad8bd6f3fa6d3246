internal import LocalTime

/// How a learner studies: on which days, at which hour, how well.
struct Habit: Sendable {
  /// The chance to study on a day after one that was studied, and after one that was not.
  let goesOn: Double
  let comesBack: Double

  /// The days of the week that are free of it, mostly.
  let freeDays: Set<Weekday>

  /// The minute of the local day around which sessions end, and how far around.
  let minute: Int
  let deviation: Double

  /// When the learner gives up for good.
  let givesUpAt: Instant?

  /// The share of answers that are right.
  let skill: Double
  let category: String

  init(of person: Person, in world: World) {
    var dice = Dice(world.seed, of: person.id, for: .habit)
    (goesOn, comesBack) = dice.one(weighing: Self.paces)
    freeDays = dice.falls(0.25) ? [.saturday, .sunday] : dice.falls(0.2) ? [.sunday] : []
    let hour = dice.one(weighing: Self.hours)
    minute = hour * 60 + dice.number(0...59)
    deviation = dice.one(weighing: [(0.5, 12), (0.35, 40), (0.15, 110)])
    givesUpAt = dice.falls(0.3) ? World.moment(from: world.start, to: world.end, &dice) : nil
    skill = 0.35 + 0.6 * dice.share()
    category = dice.one(of: Self.categories)
  }

  /// Whether a day is studied that follows such a one.
  func studies(on day: CivilDate, afterStudied isOn: Bool, _ dice: inout Dice) -> Bool {
    let chance = isOn ? goesOn : comesBack
    return dice.falls(freeDays.contains(day.weekday) ? chance * 0.25 : chance)
  }

  /// Those who never begin, who look in, who come and go, and who keep a streak.
  private static let paces: [(weight: Double, value: (Double, Double))] = [
    (0.08, (0, 0)), (0.34, (0.3, 0.1)), (0.38, (0.68, 0.32)), (0.2, (0.95, 0.7)),
  ]

  private static let hours: [(weight: Double, value: Int)] = [
    (6, 6), (10, 7), (8, 8), (3, 10), (8, 12), (6, 13), (4, 15), (6, 17), (10, 18), (13, 19),
    (15, 20), (13, 21), (8, 22), (5, 23), (2, 0), (1, 1),
  ]

  static let categories = ["people", "countries", "music", "food", "travel", "animals"]
}
