import LocalTime

/// What has to be read of a learner to bring a streak up to date.
struct StreakQuestion: Sendable {
  let streak: StreakRow

  /// The instant up to which things are known, and told.
  ///
  /// A streak that is ahead of the run's moment is not turned back: what was known then still is.
  let upTo: Instant

  /// Whether nothing has arrived that the streak does not know of: time alone has passed.
  private(set) var isQuiet = false

  /// Since when studies are wanted; nothing when all are.
  private(set) var since: Instant?

  /// The first day of which all studies are among them; nothing when all are.
  private(set) var studiesFrom: CivilDate?

  /// What was received after it may be news to the streak, though it has changed since; nothing when none is.
  private(set) var newsFrom: Instant?

  /// How much of a learner's history may have to be read.
  enum Reach: Equatable {
    case everything

    /// What was received after this, or what is still to come, may be of the days before the streak's last.
    case lately(newsFrom: Instant?)

    /// Nothing has arrived: only what the last day of the streak was followed by counts.
    case onwards
  }

  init(_ streak: StreakRow, reaching reach: Reach, at moment: Instant) {
    self.streak = streak
    upTo = max(moment, streak.changedAt)
    guard reach != .everything, let saved = streak.saved else { return }
    // Wherever on Earth a session ended, its day is at most one off the day in UTC.
    if reach == .onwards, let last = saved.chain?.lastDay {
      isQuiet = true
      since = Zone.utc.startOfDay(last)
      studiesFrom = last.advanced(by: 1)
    } else {
      let since = streak.changedAt - .seconds(Self.lookBackDays * 86_400)
      self.since = since
      studiesFrom = Zone.utc.localDay(of: since).advanced(by: 2)
      if case .lately(let newsFrom) = reach { self.newsFrom = newsFrom }
    }
  }

  /// How far back studies are read that may have arrived since a streak has changed; what arrives later
  /// than that is asked about by itself.
  ///
  /// The day before the latest that is over is needed of whoever begins a chain: west of UTC, in the evening
  /// and with a whole day of grace, that is the fifth day back.
  static let lookBackDays = 6
}
