internal import Config
import JobKit
import LocalTime

/// What there is to say of a learner's streak as of an instant.
struct StreakStory {
  let facts: StreakFacts
  let changes: StreakChanges

  /// The latest events and entries that are written, oldest first.
  let events: [StreakEvent]
  let entries: [TokenEntry]
  let rules: StreakRules

  /// The day that was asked about, if any.
  let day: CivilDate?
}

extension StreakStory {
  var lines: [String] {
    [chainLine, prospectLine, day.map(dayLine), tokenLine].compactMap(\.self)
      + events.map { "\($0.at): \($0.sentence)" }
      + changes.events.map { "a run now would note: \($0.sentence)" }
      + entries.map { "\($0.at): token entry \($0.key), \($0.reason.rawValue)" }
  }

  private var streak: Streak { changes.streak }

  private var calendar: StudyCalendar { StudyCalendar(zone: facts.zone, grace: rules.grace) }

  /// The latest move, with all that was studied around it.
  private var zoneMove: ZoneMove? {
    var zoneMove = ZoneMove(facts, grace: rules.grace)
    zoneMove?.arrive(through: facts.upTo)
    return zoneMove
  }

  private var chainLine: String {
    guard let chain = streak.chain else {
      return "no streak: the longest was \(streak.longest) day\(streak.longest == 1 ? "" : "s")"
    }
    return "a streak of \(chain.length) days, from \(chain.startedOn) through \(chain.lastDay)"
      + count(of: .repaired, in: chain, called: "repaired with a token")
      + count(of: .travelled, in: chain, called: "skipped by a move")
      + "; the longest was \(streak.longest)"
  }

  private func count(
    of state: StreakRepair.State, in chain: Chain, called name: String
  ) -> String {
    let count = facts.repairs.count { $0.state == state && chain.covers($0.day) }
    return count == 0 ? "" : ", \(count) of the days in it \(name)"
  }

  private var prospectLine: String? {
    guard let checkAt = streak.checkAt else { return nil }
    let moment = "\(checkAt.text(in: facts.zone)) (\(facts.zone.name))"
    switch streak.standing {
    case .none: return nil
    case .kept(let chain):
      let next = calendar.next(after: chain.lastDay)
      let isSkipped = zoneMove?.skipped(at: checkAt).contains(next) == true
      return "it is kept until \(moment): then \(next) is"
        + " \(isSkipped ? "skipped by the move" : "missed") unless studied"
    case .repairable(_, let missed, let until):
      return "\(missed) was missed; a brain token can repair it through \(until): the offer"
        + " lapses at \(moment)"
    }
  }

  private func dayLine(_ day: CivilDate) -> String {
    if let study = facts.studies.first(where: { $0.day == day }) {
      return "\(day) was studied, as is known since \(study.receivedAt)"
    }
    if let repair = facts.repairs.first(where: { $0.day == day }) {
      if repair.state == .travelled {
        return "\(day) was not studied, but skipped by a move: that is known since"
          + " \(repair.offeredAt)"
      }
      return "\(day) was not studied; its repair, offered at \(repair.offeredAt), is"
        + " \(repair.state.rawValue)"
    }
    let end = zoneMove?.end(of: day) ?? calendar.end(of: day)
    guard facts.zone.dayExists(day) else { return "\(day) does not exist in \(facts.zone.name)" }
    return end <= facts.upTo
      ? "\(day) was not studied: it was over at \(end)"
      : "\(day) is not studied yet: it is over at \(end)"
  }

  private var tokenLine: String {
    "\(changes.balance) of \(rules.mostTokens) brain tokens held"
      + (facts.autoRepair ? "; a missed day is repaired at once" : "")
  }
}

extension StreakStory {
  /// The same as data.
  var json: JSON {
    [
      "length": .integer(streak.length), "longest": .integer(streak.longest),
      "started_on": JSON(streak.chain.map { "\($0.startedOn)" }),
      "last_day": JSON(streak.chain.map { "\($0.lastDay)" }),
      "missed_day": JSON(streak.missedDay.map { "\($0)" }),
      "check_at": JSON(streak.checkAt.map { "\($0)" }), "tokens": .integer(changes.balance),
      "zone": .string(facts.zone.name), "auto_repair": .boolean(facts.autoRepair),
      "events": .array(events.map(\.json)), "pending_events": .array(changes.events.map(\.json)),
      "token_entries": .array(
        entries.map { ["entry": .string($0.key), "reason": .string($0.reason.rawValue)] }),
    ]
  }
}

extension StreakEvent {
  /// The event in words.
  fileprivate var sentence: String {
    "\(kind.rawValue) on \(day), \(cause.sentence) (\(lengthBefore) -> \(lengthAfter) days)"
  }

  fileprivate var json: JSON {
    [
      "event": .string(kind.rawValue), "day": "\(day)", "cause": .string(cause.rawValue),
      "length_before": .integer(lengthBefore), "length_after": .integer(lengthAfter),
      "at": "\(at)",
    ]
  }
}

extension StreakEvent.Cause {
  fileprivate var sentence: String {
    switch self {
    case .studied: "as the day was studied"
    case .studiedLate: "as a study of it arrived late"
    case .seenAnew:
      "as what was known then has changed: a study was written late, or the zone moved"
    case .missedWithToken: "as the day was missed while a token is held"
    case .missedWithoutToken: "as the day was missed and no token was held"
    case .notRepairedInTime: "as the day was missed and not repaired in time"
    case .accepted: "as the learner spent a token on the day"
    case .autoRepair: "as a token is spent on a missed day at once"
    case .studyGone: "as a study of it is gone: the app has deleted or corrected its session"
    case .movedEast: "as the learner moved, and by the calendar of one of the zones missed no day"
    }
  }
}
