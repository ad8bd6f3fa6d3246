internal import LocalTime

/// One thing that becomes different about a learner.
struct Change {
  let at: Instant
  let what: What

  enum What {
    case moves(Zone)
    case optsIn(Bool)
    case plan(String)
    case quiet(Person.QuietMinutes?)
    case status(String)
    case repairsByItself(Bool)
    case consent
  }

  func apply(to person: inout Person) {
    switch what {
    case .moves(let zone): (person.place, person.zone) = (zone, zone.name)
    case .optsIn(let isIn): person.isOptedIn = isIn
    case .plan(let plan): person.plan = plan
    case .quiet(let minutes): person.quiet = minutes
    case .status(let status): person.status = status
    case .repairsByItself(let does): person.repairsByItself = does
    case .consent: person.hasConsent = true
    }
  }
}

extension Change {
  /// Where a learner flies, and back again; some change zone a minute before midnight.
  static func travels(
    of person: Person, from first: Instant, in world: World, _ dice: inout Dice
  ) -> [Change] {
    guard dice.falls(0.07) || person.place.name == "Pacific/Auckland" && dice.falls(0.3) else {
      return []
    }
    let away = world.places.destination(from: person.place, &dice)
    let day = person.place.localDay(of: World.moment(from: first, to: world.end, &dice))
    let minute = dice.falls(0.2) ? 1439 : dice.number(0...1439)
    let departure = person.place.instant(of: LocalDateTime(date: day, secondOfDay: minute * 60))
    let there = Change(at: departure, what: .moves(away))
    guard dice.falls(0.75) else { return [there] }
    let stay = 3600 * dice.number(20...300)
    return [there, Change(at: departure.advanced(bySeconds: stay), what: .moves(person.place))]
  }

  /// What a learner, a guardian or the operators decide.
  static func decisions(
    of person: Person, from first: Instant, in world: World, _ dice: inout Dice
  ) -> [Change] {
    // Thrown for all and for each in the same order, so that one more day moves nobody's life.
    let kinds: [(share: Double, what: What)] = [
      (0.05, .optsIn(!person.isOptedIn)),
      (0.03, .plan(person.plan == "pro" ? "free" : "pro")),
      (0.03, .quiet(Person.quiet(&dice))),
      (0.012, .status(person.status == "active" ? "suspended" : "active")),
      (0.03, .repairsByItself(!person.repairsByItself)),
    ]
    var changes: [Change] = []
    for (share, what) in kinds where dice.falls(share) {
      changes.append(Change(at: World.moment(from: first, to: world.end, &dice), what: what))
    }
    if person.audience != "self", !person.hasConsent, dice.falls(0.2) {
      changes.append(Change(at: World.moment(from: first, to: world.end, &dice), what: .consent))
    }
    return changes
  }
}
