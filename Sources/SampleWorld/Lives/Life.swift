internal import LocalTime

/// All that one learner is and does.
struct Life {
  let id: Int
  let biography: Biography
  private let habit: Habit
  private let world: World

  init(of id: Int, in world: World) {
    (self.id, self.world) = (id, world)
    biography = Biography(of: id, in: world)
    habit = Habit(of: biography.states[0], in: world)
  }

  /// The sessions that reach the server before the world ends.
  var studies: [Study] {
    Diary(of: biography, with: habit, in: world).studies.filter { $0.receivedAt < world.end }
  }

  func answers(in study: Study) -> [Answer] {
    Answer.all(in: study, of: id, with: habit, seed: world.seed)
  }

  var devices: [Device] { Device.all(of: biography.states[0], in: world) }

  /// The rewards that reach the server before the world ends, and that nobody has settled yet: those
  /// of the two days before now, and all that come.
  var rewards: [Reward] {
    let oldest = world.now.advanced(bySeconds: -2 * 86_400)
    return Reward.all(for: studies, of: id, seed: world.seed)
      .filter { oldest < $0.receivedAt && $0.receivedAt < world.end }
  }
}
