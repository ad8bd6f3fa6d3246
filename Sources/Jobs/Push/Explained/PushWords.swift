import LocalTime

/// How pushes are told of to people: in local times of one zone, mostly of one day.
struct PushWords {
  let zone: Zone
  let day: CivilDate

  /// A time of the day, with its date when that is another one.
  func time(_ instant: Instant) -> String {
    let local = zone.local(at: Instant(secondsSince1970: instant.secondsSince1970))
    return local.date == day ? local.timeOfDay : "\(local.date) \(local.timeOfDay)"
  }

  func span(_ window: PushWindow) -> String { "\(time(window.from)) to \(time(window.to))" }

  static func clock(_ minuteOfDay: Int) -> String {
    [minuteOfDay / 60, minuteOfDay % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
      .joined(separator: ":")
  }
}

extension PushKind {
  var words: String {
    switch self {
    case .followUp: "a follow-up to a study of the day"
    case .reminder: "a reminder at the hour of earlier studies"
    case .first: "a push to somebody who has not studied yet"
    }
  }
}

extension PushPlan.Basis {
  /// Where the time of the window comes from.
  func words(_ evidence: String?) -> String {
    switch self {
    case .study: "the latest study ended at \(evidence ?? "an unknown time")"
    case .latestTime(let second):
      "the latest study ended at \(PushWords.clock(second / 60)) of an earlier day"
    case .habit(let minute, let studies):
      "\(studies) studies of the days before make \(PushWords.clock(minute)) the habitual end"
    case .preference(let minute):
      "the learner has not studied yet, and prefers \(PushWords.clock(minute))"
    case .byDefault(let minute):
      "the learner has not studied yet, and \(PushWords.clock(minute)) is the default"
    }
  }
}

extension PushObjection {
  var words: String {
    switch self {
    case .noStreak: "there is no streak to lose"
    case .streakMissedDay: "the day before was missed, and a session alone does not keep the streak"
    case .shortStreak(let days, let least): "the streak is \(days) long, and \(least) is the least"
    case .streakAtNoRisk: "the day is studied already, so the streak is at no risk"
    case .noReview: "no review is open for the day or the days before it"
    case .reviewNotOpen(let day):
      "no review of \(day), the newest day that has any, is open to the learner"
    case .neverStudied: "the learner has not studied yet"
    case .studiedRecently(0): "the learner has studied on the day"
    case .studiedRecently(let days):
      "the last study was \(days == 1 ? "a day" : "\(days) days") ago"
    }
  }
}

/// Why a push did not go out, in words; of a reason that nobody has words for, the reason.
func pushReasonInWords(_ reason: String) -> String {
  let words =
    switch reason {
    case "inactive": "the account is not active"
    case "no_consent": "no guardian has consented to a child's account"
    case "opted_out": "the learner does not want pushes"
    case "no_device": "there is no device that it could go to"
    case "holdout":
      "the learner is one of the few who get none, so that their worth can be measured"
    case "capped": "another push was sent less than the hours between two before it"
    case "quiet_hours": "nothing of its window was outside of quiet hours"
    case "day_over": "its window would begin when the day is over"
    case "window_passed": "its window was over"
    case "unknown_zone": "nobody knows the learner's zone"
    case "studied_meanwhile": "the learner studied before it went out"
    case "other_day": "it was another day where the learner was by then"
    case "refused": "every device that it could go to was refused"
    case "not_sent": "it could not be sent so far"
    case "no_text": "there is no text for it"
    case "worker_lost":
      "the worker that sent it was lost before the outcome was known: it counts as sent"
    default: "the reason is"
    }
  return "\(words) (\(reason))"
}
