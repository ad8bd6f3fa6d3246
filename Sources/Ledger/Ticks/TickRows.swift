internal import JobKit
import LocalTime

/// The columns of the rows that a decision becomes, as arrays: one statement writes them all.
struct TickRows {
  private(set) var scheduledFor: [Instant] = []
  private(set) var states: [String] = []
  private(set) var reasons: [String?] = []
  private(set) var counts: [Int] = []
  private(set) var firstTicks: [Instant?] = []
  private(set) var startBefore: [Instant?] = []

  /// The newest tick: from here on nothing is decided yet.
  var last: Instant? { scheduledFor.last }

  init(_ ticks: [Tick], of job: ScheduledJob, at now: Instant) {
    for tick in ticks {
      scheduledFor.append(tick.scheduledFor)
      states.append(tick.fate.state)
      reasons.append(tick.fate.reason)
      counts.append(tick.fate.count)
      firstTicks.append(tick.fate.first)
      // A tick that is caught up has as long to start as one that is on time.
      startBefore.append(
        tick.fate == .due ? max(now, tick.scheduledFor + job.delay) + job.policies.startWithin : nil
      )
    }
  }
}

extension Tick.Fate {
  fileprivate var state: String {
    switch self {
    case .due: "due"
    case .skipped: "skipped"
    case .missed: "missed"
    case .collapsed: "collapsed"
    }
  }

  fileprivate var reason: String? {
    switch self {
    case .due: nil
    case .skipped(let reason), .missed(let reason), .collapsed(_, _, let reason): reason
    }
  }

  fileprivate var count: Int {
    if case .collapsed(_, let count, _) = self { count } else { 1 }
  }

  fileprivate var first: Instant? {
    if case .collapsed(let first, _, _) = self { first } else { nil }
  }
}

extension Tick.Fate {
  /// Whether nobody was there in time for it, or for the ticks that collapsed into it.
  package var isMiss: Bool {
    switch self {
    case .missed: true
    case .collapsed(_, _, let reason): reason.hasPrefix("missed:")
    case .due, .skipped: false
    }
  }
}
