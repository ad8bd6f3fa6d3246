public import JobKit
public import LocalTime
public import Postgres

extension Ledger {
  /// What became of each job in `[start, end)`, by name; from the index of runs by their moment.
  ///
  /// Of a row of many ticks those count that lie in there, by the schedule of the job.
  public static func activity(
    from start: Instant, to end: Instant, by schedules: [JobName: Schedule] = [:],
    on connection: borrowing Connection
  ) throws(PostgresError) -> [JobName: JobActivity] {
    let rows = try connection.run(fates(from: start, to: end))
    var activity: [JobName: JobActivity] = [:]
    for row in rows {
      let job = try JobActivity(row)
      activity[job.job] = job
    }
    for row in try connection.run(edges(from: start, to: end)) {
      let edge = try CollapsedTicks(row)
      activity[edge.job, default: JobActivity(nothingOf: edge.job)].add(
        edge.count(from: start, to: end, by: schedules[edge.job]), edge.fate)
    }
    for row in try connection.run(counts(from: start, to: end)) {
      activity[try row["job"]]?.counters.count(try row["name"], try row["count"])
    }
    return activity
  }

  /// How many runs of each job came to what; one that somebody wanted for a moment of the past is not late.
  private static func fates(from start: Instant, to end: Instant) -> Statement {
    """
    WITH told AS (
      SELECT id, job, greatest(scheduled_for, after_until) AS ready_at, trigger, started_at, ticks,
        coalesce(fate, state) AS state,
        run.state = 'failed' AND \(isFixed) AS is_fixed
      FROM jobkit.run WHERE scheduled_for >= \(start) AND scheduled_for < \(end)
        AND (first_tick IS NULL OR first_tick >= \(start))
    )
    SELECT job, sum(ticks)::bigint AS due,
      count(*) FILTER (WHERE state = 'succeeded') AS succeeded,
      count(*) FILTER (WHERE state = 'failed') AS failed,
      count(*) FILTER (WHERE is_fixed) AS fixed,
      coalesce(sum(ticks) FILTER (WHERE state = 'missed'), 0)::bigint AS missed,
      coalesce(sum(ticks) FILTER (WHERE state = 'skipped'), 0)::bigint AS skipped,
      count(*) FILTER (
        WHERE trigger = 'schedule' AND started_at > ready_at + interval '1 minute') AS late
    FROM told GROUP BY job
    """
  }

  /// Whether a run of the same job has succeeded since one that failed, by its schedule or by hand.
  ///
  /// Ticks and runs beside the schedule have an index each.
  private static var isFixed: Statement {
    """
    (EXISTS (
      SELECT FROM jobkit.run AS later
      WHERE later.job = run.job AND later.trigger = 'schedule'
        AND later.state = 'succeeded' AND later.scheduled_for > run.scheduled_for
    ) OR EXISTS (
      SELECT FROM jobkit.run AS later
      WHERE later.job = run.job AND later.trigger <> 'schedule' AND later.started_at IS NOT NULL
        AND later.state = 'succeeded' AND later.scheduled_for >= run.scheduled_for
        AND later.finished_at > run.finished_at))
    """
  }

  /// The rows of many ticks of which some lie in `[start, end)` and some do not.
  private static func edges(from start: Instant, to end: Instant) -> Statement {
    """
    SELECT job, first_tick, scheduled_for, ticks, fate FROM jobkit.run
    WHERE scheduled_for >= \(start) AND first_tick < \(end) AND fate IS NOT NULL
      AND (first_tick < \(start) OR scheduled_for >= \(end))
    """
  }

  private static func counts(from start: Instant, to end: Instant) -> Statement {
    """
    SELECT run.job, name, sum(value)::bigint AS count
    FROM jobkit.run JOIN jobkit.part ON part.run = run.id,
      unnest(counter_names, counter_values) AS counter (name, value)
    WHERE scheduled_for >= \(start) AND scheduled_for < \(end)
    GROUP BY run.job, name ORDER BY run.job, name
    """
  }
}
