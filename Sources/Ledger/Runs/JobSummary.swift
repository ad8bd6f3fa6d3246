public import JobKit
public import LocalTime

/// What the ledger tells of one job: what became of its ticks, and what its runs have counted.
public struct JobSummary: Sendable, Equatable {
  public let job: JobName

  /// How many ticks are in each state; each tick of a row that collapsed counts under its own.
  public private(set) var ticks: [RunState: Int] = [:]

  /// The oldest and the newest tick.
  public private(set) var first: Instant?
  public private(set) var last: Instant?

  public package(set) var counters = Counters()

  init(of job: JobName) {
    self.job = job
  }

  mutating func add(_ count: Int, _ state: RunState, from first: Instant, through last: Instant) {
    ticks[state, default: 0] += count
    self.first = min(self.first ?? first, first)
    self.last = max(self.last ?? last, last)
  }
}

extension JobSummary {
  public subscript(state: RunState) -> Int { ticks[state] ?? 0 }

  public var total: Int { ticks.values.reduce(0, +) }
}
