internal import Ledger
internal import LocalTime

extension Scheduler {
  /// What one transaction decides.
  struct Step {
    let now: Instant
    var ticks: [Tick] = []
    var cursor: Instant
    var clockStep: ClockStep?

    /// Whether the ledger still has the schedule that the job had before.
    var leavesOther = false
  }
}
