import LocalTime

/// When the days of a learner are over, by the calendar of the zone that the learner lives in now.
struct StudyCalendar: Sendable {
  let zone: Zone
  let grace: Duration

  /// The instant at which `day` can be told to be missed.
  func end(of day: CivilDate) -> Instant {
    zone.startOfDay(day.advanced(by: 1)) + grace
  }

  /// The latest day that is over at `instant`, and its hours of grace too.
  func lastDayOver(at instant: Instant) -> CivilDate {
    // The clocks may have gone back over midnight: then the day shows again, although it was over.
    var day = zone.localDay(of: instant - grace).advanced(by: 1)
    while end(of: day) > instant || !zone.dayExists(day) { day = day.advanced(by: -1) }
    return day
  }

  /// The day after `day`, as calendars here show it.
  func next(after day: CivilDate) -> CivilDate {
    var next = day.advanced(by: 1)
    while !zone.dayExists(next) { next = next.advanced(by: 1) }
    return next
  }

  func previous(before day: CivilDate) -> CivilDate {
    zone.previousDay(before: day)
  }
}
