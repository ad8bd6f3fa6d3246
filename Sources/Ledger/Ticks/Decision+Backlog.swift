internal import JobKit
package import LocalTime

extension Decision {
  /// What becomes of the ticks of a job up to `end` that are not decided yet; nothing where there are none.
  package static func of(
    _ job: ScheduledJob, snapshot: JobSnapshot, through end: Instant, at now: Instant
  ) -> Decision? {
    // Taken on while the clock was ahead, a schedule would be dead until then.
    let start = job.inForceSince.flatMap { $0 <= now ? $0 : nil }
    let edges = [
      snapshot.pause?.since, snapshot.pause?.until, snapshot.block?.since,
      start.map { $0 + .microseconds(1) },
    ].compactMap(\.self)
    return
      switch Backlog(
        of: job.schedule, after: snapshot.decidedUntil, through: end, edges: edges)
    {
    case .ticks([]): nil
    case .ticks(let moments):
      Decision(
        of: moments, now: now, isEnabled: job.isEnabled, snapshot: snapshot, under: job.policies,
        except: job.schedule.exclusions, inForceSince: start)
    case .row(let first, let last, let count):
      .ofRow(
        from: first, through: last, count: count, isEnabled: job.isEnabled, snapshot: snapshot,
        under: job.policies, inForceSince: start)
    }
  }
}
