package import LocalTime

/// What a scheduler knows of one job between two passes: most passes need not ask the ledger.
package struct JobCursor {
  /// Up to where the ticks are decided, as far as is known here; nothing until the ledger was asked.
  package var cursor: Instant?

  /// The first tick after the cursor.
  package var nextTick: Instant?

  /// Whether the ledger has another schedule of the job: what is left of that is decided at once, and its end
  /// written down.
  package var isReplaced = false

  /// Whether the ledger was seen without a row of the job: the next pass enters it anew.
  package var isMissing = false

  private var failures = 0
  private var retryAt: Instant?

  package init(cursor: Instant?, nextTick: Instant?) {
    self.cursor = cursor
    self.nextTick = nextTick
  }

  /// Whether there is something to decide at `now`.
  package func needsDecision(at now: Instant, isElapsed: Bool) -> Bool {
    // A wait that the clock was set back into is over: nobody waits for hours because of that.
    if let retryAt, now < retryAt, retryAt - now <= Self.longestWait { return false }
    guard let cursor, !isReplaced, !isMissing else { return true }
    return nextTick.map { $0 <= now } ?? false
      || ClockStep(cursor: cursor, now: now, isElapsed: isElapsed) != nil
  }

  /// When to look again, after a look at `now`.
  ///
  /// A wait that is over while there is nothing to decide, as the clock has come back, is none: the next tick counts.
  package func wakeAt(after now: Instant) -> Instant? {
    guard let retryAt, retryAt > now else { return nextTick }
    return retryAt
  }

  /// Lets the job wait after a failure, longer after each: it must not hold up the others.
  package mutating func backOff(at now: Instant) {
    failures += 1
    retryAt = now + min(.seconds(1 << min(failures - 1, 5)), Self.longestWait)
  }

  private static let longestWait = Duration.seconds(30)
}
