import Postgres

/// What a claim may take: looked up job by job and run by run, so that it costs as much with a hundred
/// thousand parts that are due as with one, whatever their order.
extension Claiming {
  /// The parts that may be taken next, the most urgent first: of each run a few more than are wanted, as
  /// others may have some of them locked.
  var candidates: Statement {
    let limit: Statement = "\(verbatim: "\(most + Self.spare)")"
    return """
      SELECT next.run, next.number, next.job FROM (\(run.map(only) ?? openRuns)) AS open
      CROSS JOIN LATERAL (
        SELECT run, number, job, not_before FROM jobkit.part
        WHERE run = open.id AND state = 'due' AND not_before <= \(now)
        ORDER BY number LIMIT \(limit)
      ) AS next
      ORDER BY open.priority DESC, greatest(next.not_before, open.free_since), next.run, next.number
      LIMIT \(limit)
      """
  }

  /// As many workers may be about to claim parts of one run at the same moment without one going away
  /// empty-handed.
  private static let spare = 63

  /// The run that is asked for, when it may go on.
  private func only(_ run: Int) -> Statement {
    """
    SELECT wanted.id, priority, NULL::timestamptz AS free_since FROM jobkit.run AS wanted
    WHERE id = \(run) AND job = ANY(\(jobs)) AND cancel_asked_at IS NULL AND \(hasRoom)
      AND (state = 'running' OR state = 'due' AND coalesce(start_before >= \(now), true)
        AND NOT EXISTS (\(Self.others(before: "wanted", thatAre: "other.exclusive"))))
      AND NOT EXISTS (
        SELECT FROM jobkit.run AS other
        WHERE other.job = wanted.job AND other.exclusive AND other.state = 'running'
          AND other.id <> wanted.id OFFSET 0)
      AND (NOT exclusive OR state = 'running' OR \(Self.isAlone("wanted")))
    """
  }

  /// The runs of which parts may be claimed, each with the instant since when it may begin.
  ///
  /// A run that goes on keeps its claim to its other parts: only one that has not begun waits for those
  /// before it, or the two would wait for each other. An exclusive run waits since the one before it
  /// ended, not since its own moment: jobs that have a backlog take turns with those that have none.
  private var openRuns: Statement {
    """
    SELECT open.id, open.priority, open.free_since
    FROM unnest(\(jobs)) AS wanted (job)
    CROSS JOIN LATERAL (
      -- The order leads to the index: where many are open the planner would look through the table for one.
      SELECT FROM jobkit.run WHERE run.job = wanted.job AND state IN ('due', 'running')
      ORDER BY exclusive, state LIMIT 1
    ) AS busy
    LEFT JOIN LATERAL (
      SELECT id, priority, cancel_asked_at FROM jobkit.run
      WHERE run.job = wanted.job AND exclusive AND state = 'running' LIMIT 1
    ) AS alone ON true
    LEFT JOIN LATERAL (
      SELECT id, job, priority, scheduled_for, cancel_asked_at, start_before FROM jobkit.run
      WHERE alone.id IS NULL AND run.job = wanted.job AND exclusive AND state = 'due'
      ORDER BY -priority, id LIMIT 1
    ) AS first ON true
    CROSS JOIN LATERAL (
      SELECT alone.id, alone.priority, NULL::timestamptz AS free_since
      WHERE alone.id IS NOT NULL AND alone.cancel_asked_at IS NULL
      UNION ALL \(overlapping)
      UNION ALL
      SELECT first.id, first.priority, \(Self.endOfOneBefore(by: now))
      WHERE first.id IS NOT NULL AND first.cancel_asked_at IS NULL
        AND coalesce(first.start_before >= \(now), true) AND \(Self.isAlone("first"))
    ) AS open
    WHERE \(hasRoom)
    """
  }

  /// The runs of a job that may go on beside others: those that do, and those due before an exclusive one.
  private var overlapping: Statement {
    """
    (SELECT id, priority, NULL FROM jobkit.run
      WHERE alone.id IS NULL AND run.job = wanted.job AND NOT exclusive AND state = 'running'
        AND cancel_asked_at IS NULL)
    UNION ALL
    (SELECT id, priority, NULL FROM jobkit.run
      WHERE alone.id IS NULL AND run.job = wanted.job AND NOT exclusive AND state = 'due'
        AND (-priority, id) < (coalesce(-first.priority, 32767::smallint),
          coalesce(first.id, 9223372036854775807))
        AND cancel_asked_at IS NULL AND coalesce(start_before >= \(now), true)
      ORDER BY -priority, id LIMIT \(verbatim: "\(most + Self.spare)"))
    """
  }

  /// Whether no run of the job goes on, or is due before it, that an exclusive run would be beside.
  private static func isAlone(_ run: Statement) -> Statement {
    """
    NOT EXISTS (
      SELECT FROM jobkit.run AS other
      WHERE other.job = \(run).job AND NOT other.exclusive AND other.state = 'running' OFFSET 0)
    AND NOT EXISTS (\(others(before: run, thatAre: "NOT other.exclusive")))
    """
  }

  /// The runs of its job that are due before a run.
  ///
  /// `OFFSET 0` keeps it a look of its own, as a join it would be one with all open runs; its order leads
  /// to the index.
  private static func others(before run: Statement, thatAre kind: Statement) -> Statement {
    """
    SELECT FROM jobkit.run AS other
    WHERE other.job = \(run).job AND \(kind) AND other.state = 'due'
      AND (-other.priority, other.id) < (-\(run).priority, \(run).id)
    ORDER BY -other.priority, other.id LIMIT 1 OFFSET 0
    """
  }

  /// When the run before `first` ended, of the schedule or beside it: since then it could begin.
  ///
  /// An end that is still to come is one by a clock that was set back.
  private static func endOfOneBefore(by now: Statement) -> Statement {
    func end(_ which: Statement) -> Statement {
      // Not '=', for which the planner would also walk the runs of all jobs by their age.
      """
      (SELECT CASE WHEN finished_at <= \(now) THEN finished_at END FROM jobkit.run AS before
        WHERE before.job BETWEEN first.job AND first.job AND \(which)
          AND before.scheduled_for < first.scheduled_for
        ORDER BY before.job DESC, before.scheduled_for DESC LIMIT 1)
      """
    }
    return """
      greatest(\(end("before.trigger = 'schedule'")),
        \(end("before.trigger <> 'schedule' AND before.started_at IS NOT NULL")))
      """
  }
}
