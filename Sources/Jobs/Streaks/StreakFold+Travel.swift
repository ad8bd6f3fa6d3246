import LocalTime

/// What a move from zone to zone means for days that were not studied.
extension StreakFold {
  /// Lets chains go on over the days that the move has skipped: they cost no token, and are no study.
  mutating func travel(in step: inout StreakStep) throws(HistoryTooShort) {
    for day in journey?.skipped(at: step.at) ?? [] where repairs[day]?.state != .travelled {
      guard try !days.isStudied(day) else { continue }
      if repairs[day]?.state == .repaired {
        purse.giveBack(day, of: try days.chain(around: day), at: step.at)
      }
      days.repair(day)
      repairs[day] = StreakRepair(
        day: day, state: .travelled, offeredAt: step.at, endedAt: step.at)
      changes.repairs[day] = repairs[day]
      step.travelled.append(day)
    }
  }

  /// The latest day that is over, as far as the move gives no more time to one before.
  func lastDayOver(at instant: Instant) -> CivilDate {
    let over = calendar.lastDayOver(at: instant)
    let waiting = journey?.gaps.first { day in
      day <= over && instant < end(of: day) && !days.holds(day)
    }
    return waiting.map { calendar.previous(before: $0) } ?? over
  }

  /// When `day` can be told to be missed.
  func end(of day: CivilDate) -> Instant {
    journey?.end(of: day) ?? calendar.end(of: day)
  }
}
