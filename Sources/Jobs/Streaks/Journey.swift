import LocalTime

/// A learner's move to another zone, and the days that it has skipped.
///
/// A day of study is the day where the learner was. So who flies east may find a day gone between two studies
/// that neither calendar has missed: by the old one the second study was on it, or by the new one the first.
struct Journey {
  private let old: StudyCalendar
  private let new: StudyCalendar
  private let movedAt: Instant

  /// The studies around the move that have arrived, and those that are still to come.
  private var known: [StreakFacts.Session] = []
  private var coming: ArraySlice<StreakFacts.Session>

  /// The latest move, or nothing where there was none, or nothing was studied around it.
  init?(_ facts: StreakFacts, grace: Duration) {
    guard let move = facts.move, !move.studies.isEmpty else { return nil }
    old = StudyCalendar(zone: move.zone, grace: grace)
    new = StudyCalendar(zone: facts.zone, grace: grace)
    movedAt = move.at
    coming = move.studies[...]
  }
}

extension Journey {
  /// When the next study around the move arrives.
  var nextArrival: Instant? { coming.first?.receivedAt }

  /// Takes the studies that were received up to `instant` for known.
  mutating func arrive(through instant: Instant) {
    let arrived = coming.prefix { $0.receivedAt <= instant }
    known += arrived
    coming = coming.dropFirst(arrived.count)
  }

  /// The days over which the move was made, each of which follows a study before it.
  ///
  /// By then one of two was not over yet: the day where the learner came from, or the day after it where the learner
  /// is now. An app may tell of a move hours later.
  var gaps: [CivilDate] {
    let following = known.filter(wasBefore).map { new.next(after: $0.day) }
    return Set(following).filter { day in
      movedAt <= max(old.end(of: day), new.end(of: new.next(after: day)))
    }.sorted()
  }

  /// Whether `study` was made where the learner came from: not by the clocks of the new zone, whatever the app had
  /// told of it by then.
  private func wasBefore(_ study: StreakFacts.Session) -> Bool {
    study.endedAt < movedAt && old.zone.localDay(of: study.endedAt) == study.day
  }

  /// When `day` can be told to be missed: by both calendars, when the move was made over it.
  func end(of day: CivilDate) -> Instant {
    let end = new.end(of: day)
    return gaps.contains(day) ? max(end, old.end(of: day)) : end
  }

  /// The days at `instant` whose studies before and after follow each other in one of the calendars; one that
  /// was studied nevertheless is among them.
  func skipped(at instant: Instant) -> [CivilDate] {
    gaps.filter { day in
      // What had begun can be studied until it is over.
      wasNotOver(day) || (hadBegun(day) && end(of: day) <= instant)
    }
  }

  /// Whether it was `day` already in the new zone when the study before it ended.
  private func hadBegun(_ day: CivilDate) -> Bool {
    known.contains {
      wasBefore($0) && new.next(after: $0.day) == day && new.zone.localDay(of: $0.endedAt) >= day
    }
  }

  /// Whether `day` was not over yet in the old zone when a study of the day after it ended.
  private func wasNotOver(_ day: CivilDate) -> Bool {
    let midnight = old.zone.startOfDay(day.advanced(by: 1))
    let following = new.next(after: day)
    return known.contains { $0.day == following && $0.endedAt < midnight }
  }
}
