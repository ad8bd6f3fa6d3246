internal import JobKit
import LocalTime

/// The columns of the rows that a decision becomes, as arrays: one statement writes them all.
struct TickRows {
  private(set) var scheduledFor: [Instant] = []
  private(set) var states: [RunState] = []

  /// What became of each of the ticks that collapsed into a row.
  private(set) var fates: [RunState?] = []
  private(set) var reasons: [String?] = []
  private(set) var counts: [Int] = []
  private(set) var firstTicks: [Instant?] = []
  private(set) var startBefore: [Instant?] = []

  /// The newest tick: from here on nothing is decided yet.
  var last: Instant? { scheduledFor.last }

  /// Rows of ticks of which those that may run are `runnable`: due, or waiting.
  init(_ ticks: [Tick], of job: ScheduledJob, runnable: RunState, at now: Instant) {
    for tick in ticks {
      scheduledFor.append(tick.scheduledFor)
      add(tick.fate, runnable)
      // A tick that is caught up has as long to start as one that is on time.
      startBefore.append(
        tick.fate == .due && runnable == .due
          ? max(now, tick.scheduledFor + job.delay) + job.policies.startWithin : nil
      )
    }
  }

  private mutating func add(_ fate: Tick.Fate, _ runnable: RunState) {
    let (state, inner, reason, count, first): (RunState, RunState?, String?, Int, Instant?) =
      switch fate {
      case .due: (runnable, nil, nil, 1, nil)
      case .notRun(let cause): (cause.state, nil, cause.reason, 1, nil)
      case .collapsed(let first, let count, let cause):
        (.collapsed, cause.state, "\(cause)", count, first)
      }
    states.append(state)
    fates.append(inner)
    reasons.append(reason)
    counts.append(count)
    firstTicks.append(first)
  }
}
