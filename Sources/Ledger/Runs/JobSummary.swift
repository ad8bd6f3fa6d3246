public import JobKit
public import LocalTime
public import Postgres

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

extension Ledger {
  /// What became of the ticks of every job that the ledger knows, by name.
  public static func summaries(
    on connection: borrowing Connection
  ) throws(PostgresError) -> [JobSummary] {
    var summaries: [JobName: JobSummary] = [:]
    for row in try connection.run(Self.ticksByState) {
      let job: JobName = try row["job"]
      summaries[job, default: JobSummary(of: job)].add(
        try row["ticks"], try row["state"], from: try row["first"], through: try row["last"])
    }
    for row in try connection.run(Self.counts) {
      let job: JobName = try row["job"]
      summaries[job, default: JobSummary(of: job)].counters.count(
        try row["name"], try row["count"])
    }
    return summaries.values.sorted { $0.job < $1.job }
  }

  private static let ticksByState: Statement = """
    SELECT job, coalesce(fate, state) AS state, sum(ticks)::bigint AS ticks,
      min(coalesce(first_tick, scheduled_for)) AS first, max(scheduled_for) AS last
    FROM jobkit.run
    WHERE trigger NOT IN ('manual', 'request')
    GROUP BY job, coalesce(fate, state)
    """

  private static let counts: Statement = """
    SELECT job, name, sum(value)::bigint AS count
    FROM jobkit.part, unnest(counter_names, counter_values) AS counter (name, value)
    GROUP BY job, name ORDER BY job, name
    """
}
