import LocalTime

/// A learner's move to another zone, and the days that it has skipped.
///
/// A day of study is the day where the learner was. So who flies east may find a day gone between two studies
/// that neither calendar has missed: by the old one the second study was on it, or by the new one the first. Over more
/// than 24 hours it may be two days.
struct ZoneMove {
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

extension ZoneMove {
  /// When the next study around the move arrives.
  var nextArrival: Instant? { coming.first?.receivedAt }

  /// Takes the studies that were received up to `instant` for known.
  mutating func arrive(through instant: Instant) {
    let arrived = coming.prefix { $0.receivedAt <= instant }
    known += arrived
    coming = coming.dropFirst(arrived.count)
  }

  /// The days over which the move was made, in order.
  var gaps: [CivilDate] { Set(found.map(\.day)).sorted() }

  /// A day over which the move was made, and what it is known by.
  private struct Gap {
    let day: CivilDate

    /// The day after the study before the move: this one, or the one before it.
    let first: CivilDate

    /// The days after it up to the one after the gone ones: by the old zone it may be `first` when one is studied.
    let following: ClosedRange<CivilDate>

    /// Whether it was that day already in the new zone, or a later one, when the study ended.
    let hasBegun: Bool
  }

  /// Such days after each study that was made before the move: mostly one, and two where one of the calendars has left
  /// out two dates, as only a move over more than 24 hours makes it.
  ///
  /// By the move one of two was not over yet: the first of them where the learner came from, or the day after them where
  /// the learner is now. An app may tell of a move hours later.
  private var found: [Gap] {
    known.filter(wasBefore).flatMap { study in
      let first = new.next(after: study.day)
      let second = new.next(after: first)
      let reached = new.zone.localDay(of: study.endedAt)
      let third = new.next(after: second)
      let areTwo = reached >= second || wasNotOver(first, before: third...third)
      let last = areTwo ? third : second
      guard movedAt <= max(old.end(of: first), new.end(of: last)) else { return [Gap]() }
      return (areTwo ? [first, second] : [first]).map { day in
        let following = new.next(after: day)...last
        return Gap(day: day, first: first, following: following, hasBegun: reached >= day)
      }
    }
  }

  /// Whether `study` was made where the learner came from: not by the clocks of the new zone, whatever the app had
  /// told of it by then.
  private func wasBefore(_ study: StreakFacts.Session) -> Bool {
    study.endedAt < movedAt && old.zone.localDay(of: study.endedAt) == study.day
  }

  /// When `day` can be told to be missed: by both calendars, when the move was made over it.
  ///
  /// By the old one what has to be studied after a study is the day after it, also where two days are gone.
  func end(of day: CivilDate) -> Instant {
    let end = new.end(of: day)
    let firsts = found.filter { $0.day == day }.map(\.first)
    return firsts.max().map { max(end, old.end(of: $0)) } ?? end
  }

  /// The days at `instant` whose studies before and after follow each other in one of the calendars; one that
  /// was studied nevertheless is among them.
  func skipped(at instant: Instant) -> [CivilDate] {
    let skipped = found.filter { gap in
      // What had begun can be studied until it is over.
      wasNotOver(gap.first, before: gap.following)
        || (gap.hasBegun && end(of: gap.day) <= instant)
    }
    return Set(skipped.map(\.day)).sorted()
  }

  /// Whether `day` was not over yet in the old zone when a study of one of the days `following` ended.
  private func wasNotOver(_ day: CivilDate, before following: ClosedRange<CivilDate>) -> Bool {
    let midnight = old.zone.startOfDay(day.advanced(by: 1))
    return known.contains { following.contains($0.day) && $0.endedAt < midnight }
  }
}
