import LocalTime

/// What a push says: its template, the variant of that, and what goes into it.
struct PushChoice: Sendable, Equatable {
  let template: PushTemplate
  let variant: String?
  let pattern: String?
  let streakDays: Int?
}

/// Why a template does not fit.
enum PushObjection: Sendable, Equatable {
  case noStreak
  case streakMissedDay
  case shortStreak(days: Int, least: Int)
  case streakAtNoRisk
  case noReview
  case reviewNotOpen(of: CivilDate)
  case neverStudied
  case studiedRecently(daysAgo: Int)
}
