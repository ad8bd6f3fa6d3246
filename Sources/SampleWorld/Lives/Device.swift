internal import LocalTime

/// A phone that takes pushes: a row of `learning.devices`.
struct Device: Sendable {
  let id: Int
  let provider: String
  let environment: String
  let token: String
  let registeredAt: Instant
  let invalidatedAt: Instant?

  /// A learner's devices before the world ends: none, one, or up to three of which some are dead.
  static func all(of person: Person, in world: World) -> [Device] {
    var dice = Dice(world.seed, of: person.id, for: .devices)
    let count = dice.one(weighing: [(0.07, 0), (0.75, 1), (0.14, 2), (0.04, 3)])
    return (0..<count).compactMap { number in
      let isLate = number > 0 && dice.falls(0.5)
      let later = World.moment(from: max(world.start, person.createdAt), to: world.end, &dice)
      let registered =
        isLate ? later : person.createdAt.advanced(bySeconds: 60 * dice.number(1...90))
      let device = Device(number + 1, registeredAt: registered, in: world, &dice)
      return registered < world.end ? device : nil
    }
  }

  private init(_ id: Int, registeredAt: Instant, in world: World, _ dice: inout Dice) {
    self.id = id
    self.registeredAt = registeredAt
    provider = dice.one(weighing: [(0.48, "apns"), (0.5, "fcm"), (0.02, "webhook")])
    environment = provider == "apns" && dice.falls(0.01) ? "sandbox" : "production"
    token = (0..<4).map { _ in String(dice.next(), radix: 16) }.joined()
    let isDead = dice.falls(0.08)
    let end = World.moment(from: registeredAt, to: world.now, &dice)
    invalidatedAt = isDead && registeredAt < world.now ? end : nil
  }
}
