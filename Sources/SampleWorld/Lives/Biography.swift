internal import LocalTime

/// A learner through all changes: who moved, opted out or was locked, and when.
struct Biography: Sendable {
  /// The row of the learner as it was made, and after each change, in order.
  let states: [Person]

  /// The learner of that number, with all that changes before the world ends.
  init(of id: Int, in world: World) {
    let person = Person(id, in: world)
    var dice = Dice(world.seed, of: id, for: .changes)
    let first = max(world.start, person.createdAt.advanced(bySeconds: 3600))
    var changes = Change.travels(of: person, from: first, in: world, &dice)
    changes += Change.decisions(of: person, from: first, in: world, &dice)
    changes.sort { $0.at < $1.at }
    var (now, states) = (person, [person])
    for change in changes where change.at < world.end && change.at > now.changedAt {
      change.apply(to: &now)
      now.changedAt = change.at
      states.append(now)
    }
    self.states = states
  }

  var createdAt: Instant { states[0].createdAt }

  /// The learner as of a moment.
  func person(at moment: Instant) -> Person {
    states.last { $0.changedAt <= moment } ?? states[0]
  }
}
