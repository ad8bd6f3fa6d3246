import JobKit
import LocalTime

/// Days in a row, of which each was studied or repaired, or does not exist where the learner lives.
struct Chain: Sendable, Equatable {
  var startedOn: CivilDate
  var lastDay: CivilDate

  /// How many of them were studied.
  var length: Int

  func covers(_ day: CivilDate) -> Bool {
    startedOn <= day && day <= lastDay
  }
}

/// How many days in a row a learner has studied.
struct Streak: Sendable, Equatable {
  package var standing = Standing.none

  /// The most days that a chain of the learner has ever had.
  var longest = 0

  /// When something changes next if the learner does nothing.
  var checkAt: Instant?

  /// The instant from which on it was so.
  var changedAt: Instant

  /// What has become of the latest chain.
  enum Standing: Sendable, Equatable {
    case none
    case kept(Chain)

    /// The day after the chain was missed, and a brain token can repair it.
    case repairable(Chain, missed: CivilDate, until: CivilDate)
  }
}

extension Streak {
  var chain: Chain? {
    switch standing {
    case .none: nil
    case .kept(let chain): chain
    case .repairable(let chain, _, _): chain
    }
  }

  var length: Int { chain?.length ?? 0 }

  var missedDay: CivilDate? {
    guard case .repairable(_, let missed, _) = standing else { return nil }
    return missed
  }
}
