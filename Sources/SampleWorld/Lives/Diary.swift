internal import LocalTime

/// All sessions of a learner between the beginning and the end of a world, in the order of their ends.
struct Diary {
  let studies: [Study]

  init(of biography: Biography, with habit: Habit, in world: World) {
    var dice = Dice(world.seed, of: biography.states[0].id, for: .studies)
    var studies: [Study] = []
    var studiedYesterday = dice.falls(0.5)
    let first = max(world.start, biography.createdAt)
    let last = min(world.end, habit.givesUpAt ?? world.end)
    guard habit.comesBack > 0, first < last else {
      self.studies = []
      return
    }
    let days = Zone.utc.localDay(of: first).dayNumber...Zone.utc.localDay(of: last).dayNumber
    for number in days {
      let day = CivilDate(dayNumber: number)
      studiedYesterday = habit.studies(on: day, afterStudied: studiedYesterday, &dice)
      guard studiedYesterday else { continue }
      for end in Self.ends(on: day, of: biography, with: habit, &dice) {
        // Thrown before it is asked whether it counts: the next one must not depend on the bounds.
        let place = biography.person(at: end).place
        let study = Study(
          studies.count + 1, endingAt: end, on: place.localDay(of: end), with: habit, &dice)
        if end > first, end < last { studies.append(study) }
      }
    }
    self.studies = studies
  }

  /// When sessions of a local day end: mostly one, around the habitual minute.
  private static func ends(
    on day: CivilDate, of biography: Biography, with habit: Habit, _ dice: inout Dice
  ) -> [Instant] {
    let noon = Instant(secondsSince1970: day.dayNumber * 86_400 + 43_200)
    let place = biography.person(at: noon).place
    let minute = habit.minute + Int(dice.spread(habit.deviation))
    let second = ((minute % 1440) + 1440) % 1440 * 60 + dice.number(0...59)
    let end = place.instant(of: LocalDateTime(date: day, secondOfDay: second))
    let again = dice.number(1200...10_800)
    return dice.falls(0.13) ? [end, end.advanced(bySeconds: again)] : [end]
  }
}
