import LocalTime

/// What the clocks of a zone show in each of some minutes, counted since 1970.
///
/// A zone is asked about both ends only, unless its clocks change in between: a window is asked minute by
/// minute, for every learner.
struct LocalMinutes {
  private let zone: Zone
  private let first: Int

  /// What clocks show in the first minute, when they go on from there without a change.
  private let steady: LocalDateTime?

  /// No zone changes its clocks twice in so many minutes.
  private static let fewest = 180

  init(_ minutes: Range<Int>, in zone: Zone) {
    self.zone = zone
    first = minutes.lowerBound
    guard let last = minutes.last, minutes.count <= Self.fewest else {
      steady = nil
      return
    }
    let start = PushWindow.instant(of: first)
    let isSteady = zone.offset(at: start) == zone.offset(at: PushWindow.instant(of: last))
    steady = isSteady ? zone.local(at: start) : nil
  }

  func local(at minute: Int) -> (date: CivilDate, minuteOfDay: Int) {
    guard let steady else {
      let local = zone.local(at: PushWindow.instant(of: minute))
      return (local.date, local.secondOfDay / 60)
    }
    let second = steady.secondOfDay + 60 * (minute - first)
    return second < 86_400
      ? (steady.date, second / 60)
      : (steady.date.advanced(by: second / 86_400), second % 86_400 / 60)
  }
}
