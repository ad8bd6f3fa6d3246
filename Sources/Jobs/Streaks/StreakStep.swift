import LocalTime

/// What happened to a streak at one instant.
struct StreakStep {
  let at: Instant
  let before: Streak

  /// The days of the studies that were received then.
  let arrived: [CivilDate]

  /// The days that were repaired then, and why.
  var repaired: [(day: CivilDate, cause: StreakEvent.Cause)] = []

  /// The days that turned out to be skipped by a move.
  var travelled: [CivilDate] = []

  /// Whether a repair turned out to be needless.
  var gaveBack = false

  /// The latest day of the chain that is not studied any more, as its sessions are gone.
  var gone: CivilDate?
}

extension StreakStep {
  /// The events that tell how the streak became `after`.
  func events(to after: Streak) -> [StreakEvent] {
    let change = loss(in: after) ?? ending(in: after) ?? growth(to: after)
    // What else has become of the streak is told by itself, after the days that were skipped.
    let reached = change == nil ? after.length : before.length
    var events = travelled.map { day in
      event(.travelled, day, .movedEast, from: before.length, to: reached)
    }
    events += [change].compactMap(\.self)
    let length = events.last?.lengthAfter ?? before.length
    for (day, cause) in repaired {
      let isFirst = events.isEmpty
      events.append(
        event(.repaired, day, cause, from: isFirst ? before.length : length, to: after.length))
    }
    if let missed = after.missedDay, missed != before.missedDay {
      events.append(
        event(.repairable, missed, .missedWithToken, from: after.length, to: after.length))
    }
    return events
  }

  /// The event that a chain has ended, when it has: only one that begins later takes its place then.
  private func ending(in after: Streak) -> StreakEvent? {
    guard let old = before.chain, hasEnded(old, in: after) else { return nil }
    var missed = before.missedDay ?? old.lastDay.advanced(by: 1)
    // What a move has skipped in the same instant was not missed.
    while travelled.contains(missed) { missed = missed.advanced(by: 1) }
    return event(
      .reset, missed, missed == before.missedDay ? .notRepairedInTime : .missedWithoutToken,
      from: old.length, to: after.length)
  }

  private func hasEnded(_ chain: Chain, in after: Streak) -> Bool {
    after.chain.map { $0.startedOn > chain.lastDay } ?? true
  }

  /// The event that a chain has lost days that were studied, when their sessions are there no more.
  private func loss(in after: Streak) -> StreakEvent? {
    guard let gone, let old = before.chain, after.length < old.length else { return nil }
    return event(
      hasEnded(old, in: after) ? .reset : .shortened, gone, .studyGone, from: old.length,
      to: after.length)
  }

  private func growth(to after: Streak) -> StreakEvent? {
    guard let chain = after.chain else { return nil }
    let new = arrived.filter { chain.covers($0) }
    // What was undone brings back more days than have just arrived.
    let isRestored =
      gaveBack || before.chain.map { chain.lastDay < $0.startedOn } ?? false
      || (before.missedDay != nil && after.missedDay == nil && repaired.isEmpty
        && travelled.isEmpty)
      || (repaired.isEmpty && chain.length > before.length + max(new.count, 1))
    if isRestored {
      let cause: StreakEvent.Cause = new.isEmpty && !gaveBack ? .seenAnew : .studiedLate
      return event(
        .restored, new.min() ?? before.missedDay ?? chain.lastDay, cause,
        from: before.length, to: chain.length)
    }
    guard chain.length > before.length, repaired.isEmpty, travelled.isEmpty || !new.isEmpty
    else { return nil }
    let cause: StreakEvent.Cause = new.isEmpty ? .seenAnew : .studied
    return event(
      .extended, new.max() ?? chain.lastDay, cause, from: before.length, to: chain.length)
  }

  private func event(
    _ kind: StreakEvent.Kind, _ day: CivilDate, _ cause: StreakEvent.Cause, from: Int, to: Int
  ) -> StreakEvent {
    StreakEvent(
      kind: kind, day: day, cause: cause, lengthBefore: from, lengthAfter: to, at: at)
  }
}
