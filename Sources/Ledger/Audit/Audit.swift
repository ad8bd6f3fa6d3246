public import JobKit
public import LocalTime
public import Postgres

/// Expected ticks held against the ledger's rows: the proof that nothing went missing in silence.
public struct Audit: Sendable, Equatable {
  /// How many ticks the schedule has in the range.
  public let expected: Int

  /// How many ticks of it became what, by state.
  public let accounted: [RunState: Int]

  /// The ticks that have no row.
  public let missing: [Instant]

  /// The rows that the schedule has no tick for: it was another one when they were decided.
  public let foreign: [Instant]

  /// Whether every tick is accounted for.
  public var isComplete: Bool { missing.isEmpty }

  /// One row of the ledger: a tick, or a row of ticks that collapsed into one.
  public struct Row: Sendable {
    let first: Instant
    let last: Instant
    let state: RunState

    public init(first: Instant, last: Instant, state: RunState) {
      self.first = first
      self.last = last
      self.state = state
    }
  }

  /// Holds ticks and rows against each other, both of them oldest first.
  public init(expecting ticks: [Instant], found rows: [Row]) {
    var accounted: [RunState: Int] = [:]
    var (missing, foreign): ([Instant], [Instant]) = ([], [])
    var rest = rows[...]
    var met = false
    for tick in ticks {
      while let row = rest.first, row.last < tick {
        if !met { foreign.append(row.last) }
        (rest, met) = (rest.dropFirst(), false)
      }
      if let row = rest.first, row.first <= tick {
        accounted[row.state, default: 0] += 1
        met = true
      } else {
        missing.append(tick)
      }
    }
    foreign += rest.dropFirst(met ? 1 : 0).map(\.last)
    self.expected = ticks.count
    (self.accounted, self.missing, self.foreign) = (accounted, missing, foreign)
  }
}

extension Ledger {
  /// The rows of a job's ticks in `(start, end]`, oldest first.
  public static func ticks(
    of job: JobName, after start: Instant, through end: Instant,
    on connection: borrowing Connection
  ) throws(PostgresError) -> [Audit.Row] {
    let rows = try connection.run(
      """
      SELECT coalesce(first_tick, scheduled_for) AS first, scheduled_for AS last,
        coalesce(fate, state) AS state
      FROM jobkit.run
      WHERE job = \(job) AND trigger = 'schedule'
        -- A tick that came again, after the clock was set back, lies a microsecond behind its first row.
        AND scheduled_for = date_trunc('second', scheduled_for)
        AND scheduled_for > \(start) AND coalesce(first_tick, scheduled_for) <= \(end)
      ORDER BY scheduled_for
      """)
    var ticks: [Audit.Row] = []
    for row in rows {
      ticks.append(
        Audit.Row(first: try row["first"], last: try row["last"], state: try row["state"]))
    }
    return ticks
  }
}
