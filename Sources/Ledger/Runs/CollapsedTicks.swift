internal import JobKit
internal import LocalTime
internal import Postgres

/// A row that stands for many ticks.
struct CollapsedTicks {
  let job: JobName
  let fate: RunState
  let first: Instant
  let last: Instant
  let ticks: Int

  init(_ row: Row) throws(PostgresError) {
    job = try row["job"]
    fate = try row["fate"]
    first = try row["first_tick"]
    last = try row["scheduled_for"]
    ticks = try row["ticks"]
  }

  /// How many of them lie in `[start, end)`: by the schedule where that has as many ticks as the row, else as if they
  /// were as far apart from one another.
  func count(from start: Instant, to end: Instant, by schedule: Schedule?) -> Int {
    let (from, to) = (max(first, start), min(last, end - .microseconds(1)))
    guard from <= to else { return 0 }
    if let schedule, schedule.count(from: first, through: last) == ticks {
      return schedule.count(from: from, through: to)
    }
    let share = (to - from) / (last - first)
    return min(ticks, max(1, Int((share * Double(ticks)).rounded())))
  }
}

extension JobActivity {
  /// Counts ticks of which nothing ran.
  mutating func add(_ ticks: Int, _ fate: RunState) {
    due += ticks
    if fate == .missed { missed += ticks } else { skipped += ticks }
  }
}
