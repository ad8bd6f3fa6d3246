import JobKit
import LocalTime
import Postgres

/// What is known of a learner when a push is decided.
struct PushFacts: Sendable, Equatable {
  var user: Int
  var zone: String
  var locale = "en"
  var eligibility = PushEligibility()
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

  /// In which third of its window each push was due that was sent in the last weeks and opened.
  var openedThirds: [Int] = []

  /// The same of each that was sent; nothing where few were opened.
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

  /// When another day's push was sent last.
  func lastHandOver(besides day: CivilDate) -> Instant? {
    rows.filter { $0.day != day }.compactMap(\.handedAt).max()
  }
}

/// What the columns of a learner's facts mean, by their places: this is read for every learner.
extension PushFacts {
  mutating func readLearner(_ row: Row) throws(PostgresError) {
    locale = try row[2]
    eligibility = try PushEligibility(row, from: 3)
    hasDevice = try row[6]
    if let from: Int = try row[7], let to: Int = try row[8] {
      quietHours = QuietHours(from: from, to: to)
    }
    preferredMinute = try row[9]
    changedAt = try row[10]
    hasNews = try row[11]
  }

  mutating func readHistory(_ row: Row) throws(PostgresError) {
    // The index that they are read from has the newest first.
    let ends: [Instant] = try row.list(12)
    let days: [CivilDate] = try row.list(13)
    studies = zip(ends, days).map { Study(end: $0, day: $1) }.reversed()
    hasBadSessions = try row[14]
    openedThirds = try row.list(15)
    if let state: String = try row[16] {
      streak = Streak(state: state, days: try row[17], lastDay: try row[23])
    }
    let reviewDays: [CivilDate] = try row.list(18)
    let patterns: [String?] = try row.list(19)
    reviews = zip(reviewDays, patterns).map { Review(day: $0, pattern: $1) }
    lookAt = try row[20]
    lookedAt = try row[21]
    handedThirds = try row.list(22)
  }
}
