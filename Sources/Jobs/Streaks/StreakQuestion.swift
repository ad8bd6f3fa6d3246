import LocalTime

/// What has to be read of a learner to bring a streak up to date.
struct StreakQuestion: Sendable {
  let streak: StreakRow

  /// The instant up to which things are known, and told.
  ///
  /// A streak that is ahead of the run's moment is not turned back: what was known then still is.
  let upTo: Instant

  /// Since when studies are wanted; nothing when all are.
  let since: Instant?

  init(_ streak: StreakRow, whole: Bool, at moment: Instant) {
    self.streak = streak
    upTo = max(moment, streak.changedAt)
    since =
      whole || streak.saved == nil ? nil : streak.changedAt - .seconds(Self.lookBackDays * 86_400)
  }

  /// How far back studies are read that may have arrived since a streak has changed; what arrives later
  /// than that is asked about by itself.
  ///
  /// The day before the latest that is over is needed of whoever begins a chain: west of UTC, in the evening
  /// and with a whole day of grace, that is the fifth day back.
  static let lookBackDays = 6
}
