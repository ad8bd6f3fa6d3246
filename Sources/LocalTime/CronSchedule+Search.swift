extension CronSchedule {
  func nextSecond(after second: Int) -> Int? {
    if cron.coversAllHours { return nextMatching(after: second) }
    switch dst {
    case .once: return nextOnce(after: second)
    case .skipMissing: return nextExisting(after: second)
    case .everyOccurrence:
      return [nextOnce(after: second), nextMatching(after: second)].compactMap(\.self).min()
    }
  }

  func previousSecond(before second: Int) -> Int? {
    if cron.coversAllHours { return previousMatching(before: second) }
    switch dst {
    case .once: return previousOnce(before: second)
    case .skipMissing: return previousExisting(before: second)
    case .everyOccurrence:
      return [previousOnce(before: second), previousMatching(before: second)].compactMap(\.self)
        .max()
    }
  }
}

/// Each local time once. What clocks have shown before is done; the rest is to come.
extension CronSchedule {
  private func nextOnce(after second: Int) -> Int? {
    cron.first(from: zone.latestLocal(upTo: second) + 1).map(zone.firstSecond(showing:))
  }

  private func previousOnce(before second: Int) -> Int? {
    cron.last(through: zone.latestLocal(upTo: second - 1)).map(zone.firstSecond(showing:))
  }
}

/// Each local time that exists, once.
extension CronSchedule {
  private func nextExisting(after second: Int) -> Int? {
    var from = zone.latestLocal(upTo: second) + 1
    let horizon = from + Self.horizon
    while from < horizon, let local = cron.first(from: from) {
      let second = zone.firstSecond(showing: local)
      let shown = zone.local(at: second)
      if shown == local { return second }
      from = shown
    }
    return nil
  }

  private func previousExisting(before second: Int) -> Int? {
    var through = zone.latestLocal(upTo: second - 1)
    let horizon = through - Self.horizon
    while through > horizon, let local = cron.last(through: through) {
      let second = zone.firstSecond(showing: local)
      if zone.local(at: second) == local { return second }
      through = zone.latestLocal(upTo: second - 1)
    }
    return nil
  }

  private static let horizon = CronDays.longestWaitInMonths * 31 * 86_400
}

/// Every instant whose local time matches, one stretch of equal offset after the other.
extension CronSchedule {
  private func nextMatching(after second: Int) -> Int? {
    var from = second + 1
    while from < second + Self.horizon {
      let span = zone.rules.span(at: from)
      guard let local = cron.first(from: from + span.offset) else { return nil }
      if local < span.end + span.offset { return local - span.offset }
      // No farther: after an overlap clocks show earlier times than the one that was found.
      from = span.end
    }
    return nil
  }

  private func previousMatching(before second: Int) -> Int? {
    var through = second - 1
    while through > second - Self.horizon {
      let span = zone.rules.span(at: through)
      guard let local = cron.last(through: through + span.offset) else { return nil }
      if local >= span.start + span.offset { return local - span.offset }
      through = span.start - 1
    }
    return nil
  }
}
