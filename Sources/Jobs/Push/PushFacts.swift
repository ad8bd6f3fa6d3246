import LocalTime

/// What is known of a learner when a push is decided.
struct PushFacts: Sendable, Equatable {
  var user: Int
  var zone: String
  var locale = "en"
  var isActive = true
  var lacksConsent = false
  var hasOptedIn = true
  var hasDevice = true

  /// The learner's own quiet hours.
  var quietHours: QuietHours?
  var preferredMinute: Int?

  /// When the app changed the learner's row.
  var changedAt = Instant(microseconds: 0)

  /// Whether the learner's row or a device is new since the last run.
  var hasNews = false

  /// The studies of the last weeks, and the latest one before them of who has none or only some of the last
  /// days; by their ends.
  var studies: [Study] = []

  /// In which third of its window each push was due that was handed over in the last weeks and opened.
  var openedThirds: [Int] = []

  /// The same of each that was handed over; nothing where few were opened.
  var handedThirds: [Int] = []
  var streak: Streak?

  /// The reviews that a push may name.
  var reviews: [Review] = []

  /// What was decided for the days around today.
  var rows: [PushRow] = []

  /// When the learner was to be looked at, and the latest moment that a run looked for.
  var lookAt: Instant?
  var lookedAt: Instant?

  /// Whether sessions of the last weeks have to be put aside.
  var hasBadSessions = false
}

extension PushFacts {
  /// A session that counts.
  struct Study: Sendable, Equatable {
    let end: Instant
    let day: CivilDate
  }

  struct Streak: Sendable, Equatable {
    let state: String
    let days: Int

    /// The last day that it reaches: studied, or repaired.
    let lastDay: CivilDate?
  }

  /// The reviews of a day: the weakest pattern of them that is still to be reviewed.
  struct Review: Sendable, Equatable {
    let day: CivilDate
    let pattern: String?
  }

  /// When another day's push was handed over last.
  func lastHandOver(besides day: CivilDate) -> Instant? {
    rows.filter { $0.day != day }.compactMap(\.handedAt).max()
  }
}
