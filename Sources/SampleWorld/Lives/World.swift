public import LocalTime

/// Learners who do not exist, and all that they do in a span of time.
///
/// The same world is the same to the last row: every life follows from the seed and the learner's
/// number. What has reached the server by `now` is history, what reaches it later is yet to come.
public struct World: Sendable {
  public let learners: Int
  public let seed: Int

  /// When the history begins.
  public let start: Instant
  public let now: Instant

  /// When nobody does anything any more.
  public let end: Instant
  let places: Places

  /// A world of `learners`, who have been at it for `days` and go on for `daysToCome`.
  public init(
    learners: Int, days: Int, seed: Int, now: Instant, daysToCome: Int = 0, zones: ZoneDatabase
  ) throws(ZoneError) {
    (self.learners, self.seed, self.now) = (learners, seed, now)
    start = now.advanced(bySeconds: -86_400 * days)
    end = now.advanced(bySeconds: 86_400 * daysToCome)
    places = try Places(of: zones)
  }

  /// A moment between two others.
  static func moment(from start: Instant, to end: Instant, _ dice: inout Dice) -> Instant {
    let length = max(0, Double(end.microseconds - start.microseconds))
    return Instant(microseconds: start.microseconds + Int64(dice.share() * length))
  }
}
