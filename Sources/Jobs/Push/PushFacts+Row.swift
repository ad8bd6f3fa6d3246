import JobKit
import LocalTime
import Postgres

/// What the columns of a learner's facts mean, by their places: this is read for every learner.
extension PushFacts {
  mutating func readLearner(_ row: Row) throws(PostgresError) {
    locale = try row[2]
    isActive = try row[3]
    lacksConsent = try row[4]
    hasOptedIn = try row[5]
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
