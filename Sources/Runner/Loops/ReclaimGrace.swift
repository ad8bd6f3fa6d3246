internal import JobKit
internal import LocalTime

/// When a maintenance loop may take a lease that has run out for a worker that is gone.
///
/// Where the server hung for all, or its clock went forward by a step, leases have run out that nobody could
/// extend: whoever is back first would take the parts of everybody who lives. So a maintenance loop that finds itself
/// cut
/// off gives the others the time of a lease to be back. One that begins was not cut off, and may judge at once.
package struct ReclaimGrace {
  /// A pass, by the ledger's clock and by the time that has passed here.
  package struct Pass {
    let shown: Instant
    let here: ContinuousClock.Instant
  }

  private let lease: Duration
  private var last: Pass?
  private var end: ContinuousClock.Instant?

  package init(lease: Duration) {
    self.lease = lease
  }

  /// Notes a pass that reached the ledger; says whether what has run out may be judged by it.
  mutating func isOver(at beat: Pass) -> Bool {
    if let last, Self.gap(from: last, to: beat) > lease / 2 { end = beat.here + length }
    last = beat
    return end.map { $0 <= beat.here } ?? true
  }

  /// By how much leases have aged since the beat before without one that could extend them.
  private static func gap(from last: Pass, to beat: Pass) -> Duration {
    let passed = beat.here - last.here
    return max(passed, (beat.shown - last.shown) - passed)
  }

  private var length: Duration {
    #if DEBUG
      // Where the clock is turned by hand, each turn is a step.
      return RehearsalPace.shortening(lease)
    #else
      return lease
    #endif
  }
}
