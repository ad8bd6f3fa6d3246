internal import LocalTime

/// What the app knows of a learner from one moment on: a row of `learning.users`.
struct Person: Sendable, Equatable {
  let id: Int
  let name: String

  /// Where the learner is, for calendars.
  var place: Zone

  /// What the row says, which may be a zone that nobody knows.
  var zone: String
  let locale: String
  var status: String
  let audience: String
  var hasConsent: Bool
  var plan: String
  var isOptedIn: Bool
  var quiet: QuietMinutes?
  let preferredMinute: Int16?
  var repairsByItself: Bool
  let createdAt: Instant
  var changedAt: Instant

  /// Quiet hours of a learner's own: the minutes of the local day at which they begin and are over.
  struct QuietMinutes: Sendable, Equatable {
    let from: Int16
    let to: Int16
  }
}

extension Person {
  /// The learner of that number as the account was made.
  init(_ id: Int, in world: World) {
    var dice = Dice(world.seed, of: id, for: .person)
    let home = world.places.home(&dice)
    let isKorean = home.name == "Asia/Seoul" ? dice.falls(0.97) : dice.falls(0.04)
    self.id = id
    place = home
    zone = dice.falls(0.0008) ? "Mars/Olympus_Mons" : home.name
    name = (isKorean ? Names.korean : Names.english).name(&dice)
    locale = isKorean ? "ko" : dice.one(weighing: Self.locales)
    status = dice.one(weighing: [(0.975, "active"), (0.018, "suspended"), (0.007, "locked")])
    audience = dice.one(weighing: [(0.83, "self"), (0.13, "child"), (0.04, "both")])
    hasConsent = audience != "self" && dice.falls(0.85)
    plan = dice.falls(0.18) ? "pro" : "free"
    isOptedIn = dice.falls(0.82)
    quiet = Self.quiet(&dice)
    preferredMinute = dice.falls(0.3) ? Int16(dice.number(72...258) * 5) : nil
    repairsByItself = dice.falls(0.3)
    createdAt = Self.creation(in: world, &dice)
    changedAt = createdAt
  }

  private static let locales = [
    (0.5, "en"), (0.2, "en-GB"), (0.1, "en-AU"), (0.1, "fr"), (0.1, "pt-BR"),
  ]

  /// Most keep the default; a few want none, hours over noon, or a night of their own.
  static func quiet(_ dice: inout Dice) -> QuietMinutes? {
    switch dice.share() {
    case ..<0.82: nil
    case ..<0.87: QuietMinutes(from: 0, to: 0)
    case ..<0.90:
      QuietMinutes(from: Int16(dice.number(8...11) * 60), to: Int16(dice.number(13...17) * 60))
    default:
      QuietMinutes(
        from: Int16(dice.number(40...47) * 30), to: Int16(dice.number(10...18) * 30))
    }
  }

  /// Most were there before the history begins, some join while it is told.
  private static func creation(in world: World, _ dice: inout Dice) -> Instant {
    let yearBefore = world.start.advanced(bySeconds: -86_400 * 365)
    return dice.falls(0.9)
      ? World.moment(from: yearBefore, to: world.start, &dice)
      : World.moment(from: world.start, to: world.end, &dice)
  }
}
