import JobKit
import LocalTime

/// What is known of one learner's streak: the row as it was saved, and everything since.
struct StreakFacts: Sendable, Equatable {
  let learner: Int
  let zone: Zone

  /// The latest move to that zone; nothing where there was none that anybody knows of.
  let move: Move?

  /// Since when the learner wants a token spent without being asked; nothing when that is not wanted.
  let autoRepairSince: Instant?

  /// The instant up to which things are known, and told.
  let upTo: Instant

  /// Whether nothing has arrived that `saved` does not know of.
  var isQuiet = false

  /// The streak as it was saved; nothing when the learner had none.
  let saved: Streak?
  let balance: Int

  /// How many events there are so far.
  let events: Int

  /// The keys of the token entries that there are.
  let entries: Set<String>

  /// The milestones that have been given for; nothing when they were not read.
  let reached: [Reached]?
  let repairs: [StreakRepair]

  /// The days of studies, in the order in which the first study of each was received.
  let studies: [Study]

  /// The first day of which all studies are among them; nothing when all are.
  let studiesFrom: CivilDate?

  /// What was received after it may be news to `saved`, though that has changed since; nothing when none is.
  var newsFrom: Instant?

  var autoRepair: Bool { autoRepairSince != nil }

  /// What a chain was given for so many days, by the day on which it began then.
  struct Reached: Sendable, Equatable {
    let startedOn: CivilDate
    let days: Int
    let kind: AwardKind
  }

  /// A day that was studied, and since when that is known.
  struct Study: Sendable, Equatable {
    let day: CivilDate
    let receivedAt: Instant
  }

  /// One study of a day.
  struct Session: Sendable, Equatable {
    let day: CivilDate
    let endedAt: Instant
    let receivedAt: Instant
  }

  /// A change of the learner's zone, and what was studied around it.
  struct Move: Sendable, Equatable {
    /// Where the learner lived before.
    let zone: Zone
    let at: Instant

    /// In the order in which they were received.
    let studies: [Session]
  }
}

extension StreakFacts.Move {
  /// The move from `zone`, with those of `studies` that may matter.
  init(from zone: Zone, at instant: Instant, among studies: [StreakFacts.Session]) {
    let day = zone.localDay(of: instant).dayNumber
    // Days further from it were missed before it, or begin after it, with whatever hours of grace.
    let near = studies.filter { (day - 4...day + 4).contains($0.day.dayNumber) }
    self.init(
      zone: zone, at: instant,
      studies: near.sorted { ($0.receivedAt, $0.day) < ($1.receivedAt, $1.day) })
  }
}

/// The offer to repair a missed day with a brain token, and what became of it; or a day that a move has skipped.
struct StreakRepair: Sendable, Equatable {
  let day: CivilDate
  var state: State
  let offeredAt: Instant
  var acceptedAt: Instant?
  var endedAt: Instant?

  enum State: String, Sendable {
    case offered
    case accepted
    case repaired
    case lapsed
    case returned
    case withdrawn

    /// A move has skipped the day: nobody was asked, and no token was spent.
    case travelled
  }

  /// Whether a chain goes on over the day, which was not studied.
  var fillsDay: Bool { state == .repaired || state == .travelled }

  /// The same, accepted when it waits for a learner who wants no more to be asked.
  func accepted(sinceWanted wish: Instant?) -> StreakRepair {
    guard state == .offered, let wish else { return self }
    var repair = self
    (repair.state, repair.acceptedAt) = (.accepted, max(wish, offeredAt))
    return repair
  }

  /// Whether a token could still be spent on it.
  var isOpen: Bool { state == .offered || state == .accepted }
}
