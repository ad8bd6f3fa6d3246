import LocalTime

/// When the push of a day goes out, and how that came about.
struct PushPlan: Sendable, Equatable {
  let day: CivilDate
  let kind: PushKind

  /// Where the time of its window comes from.
  let basis: Basis

  /// The end of the study that it follows.
  let evidence: Instant?

  /// The window before quiet hours and the day's end are asked.
  let wanted: PushWindow
  let cut: Cut

  /// What is left of it; nothing: there is no time for this push.
  let window: PushWindow?

  /// The minute in it, and the third of it in which the learner opens the greatest share of pushes.
  let minute: Instant?
  let third: Int?

  /// The first instant of the day, and the first after it.
  let dayStart: Instant
  let dayEnd: Instant

  enum Basis: Sendable, Equatable {
    case study
    case latestTime(secondOfDay: Int)
    case habit(minuteOfDay: Int, studies: Int)
    case preference(minuteOfDay: Int)
    case byDefault(minuteOfDay: Int)
  }

  enum Cut: Sendable, Equatable {
    case whole
    case cut
    case hurried(from: Hurry)
    case nothing(PushReason)
  }

  /// Why a reminder hurries.
  enum Hurry: Sendable, Equatable {
    case quietHours
    case dayOver
  }

  /// When it is decided: at the beginning of its window, or of the one that nothing is left of.
  var begins: Instant {
    if let window { return window.from }
    return min(max(wanted.from, dayStart), dayEnd.advanced(bySeconds: -1))
  }
}
