import JobKit
import LocalTime

/// What bringing a learner's streak up to date comes to: the streak, and what is to be written of it.
struct StreakChanges: Sendable, Equatable {
  var streak: Streak
  var balance: Int
  var events: [StreakEvent] = []
  var entries: [TokenEntry] = []
  var awards: [Award] = []

  /// The repairs that are new or different.
  var repairs: [CivilDate: StreakRepair] = [:]
}

/// A change of a streak.
struct StreakEvent: Sendable, Equatable {
  let kind: Kind
  let day: CivilDate
  let cause: Cause
  let lengthBefore: Int
  let lengthAfter: Int
  let at: Instant

  enum Kind: String, Sendable {
    case extended
    case repairable
    case repaired
    case reset
    case restored
    case travelled
    /// Days of it are not studied any more.
    case shortened
  }

  enum Cause: String, Sendable {
    case studied
    case studiedLate = "studied_late"
    /// A study that was committed late, or another zone: what had been told was not so.
    case seenAnew = "seen_anew"
    case missedWithToken = "missed_with_token"
    case missedWithoutToken = "missed_without_token"
    case notRepairedInTime = "not_repaired_in_time"
    case accepted
    case autoRepair = "auto_repair"
    case movedEast = "moved_east"
    /// A session was deleted, or corrected: its day is not studied any more.
    case studyGone = "study_gone"
  }
}

/// A line in the ledger of brain tokens.
struct TokenEntry: Sendable, Equatable {
  let key: String
  let reason: Reason
  let at: Instant

  enum Reason: String, Sendable {
    case earned
    case capped
    case spent
    case returned
  }

  var amount: Int {
    switch reason {
    case .earned, .returned: 1
    case .capped: 0
    case .spent: -1
    }
  }
}

/// Something given for the days of a chain.
struct Award: Sendable, Hashable {
  let startedOn: CivilDate
  let days: Int
  let kind: AwardKind
  let reason: Reason
  let at: Instant

  enum Reason: String, Sendable {
    case milestone
    case weekly
    /// In place of a token that was earned by one who holds enough of them.
    case capped
    /// In place of a token that was given back to one who holds enough of them.
    case returned
  }
}
