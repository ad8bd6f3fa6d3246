internal import JobKit
internal import LocalTime
internal import Postgres

/// What the ticks of a decision wait for, as columns of their rows.
///
/// A row keeps what held when it was decided: other settings, or a daemon that has others, change nothing of it.
struct Awaited {
  private let after: After

  /// Of each tick the newest ticks of those jobs by then, as Postgres writes an array, and until when it waits.
  private var ticks: [String] = []
  private var until: [Instant] = []

  init(
    _ decided: [Tick], of job: ScheduledJob, knowing schedules: [JobName: Schedule],
    at now: Instant
  ) {
    after = job.after
    for tick in decided {
      let end = tick.scheduledFor + .microseconds(1)
      let newest = after.jobs.map { schedules[$0]?.previous(before: end) }
      ticks.append("{\(newest.map { $0?.description ?? "NULL" }.joined(separator: ","))}")
      until.append(max(now, tick.scheduledFor + job.delay) + after.limit)
    }
  }

  private var isNone: Bool { after.jobs.isEmpty }

  /// What a tick is that may run.
  var state: RunState { isNone ? .due : .waiting }

  /// The columns of a run, behind a comma.
  var columns: Statement {
    isNone ? "" : ", after_jobs, after_ticks, after_until, after_failed, after_missing"
  }

  /// Their values, of a tick that waits.
  var values: Statement {
    guard !isNone else { return "" }
    return [
      "\(after.jobs)::text[]", "after_ticks::timestamptz[]", "after_until",
      "\(after.failed.rawValue)::text", "\(after.missing.rawValue)::text",
    ].map { (value: Statement) in ", CASE state WHEN 'waiting' THEN \(value) END" }.joined(by: "")
  }

  /// The arrays that the values come from, and their names, each behind a comma.
  var arrays: Statement { isNone ? "" : ", \(ticks), \(until)" }
  var names: Statement { isNone ? "" : ", after_ticks, after_until" }
}
