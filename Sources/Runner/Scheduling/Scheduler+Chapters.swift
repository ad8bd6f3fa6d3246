internal import JobKit
internal import Ledger
internal import LocalTime

extension Scheduler {
  /// The job as it is to be decided after `start` and up to `end`.
  typealias Chapter = (job: ScheduledJob, start: Instant, end: Instant)

  /// The job as it is to be decided now: first what is left of the schedule that it had before this
  /// scheduler began, if that was another, then its own, which has no tick before that.
  ///
  /// One that only a run by hand, a pause or a backfill has entered has no tick before that either. A beginning that is
  /// still to come is one by a clock that was wrong: the other schedule is over.
  func schedulesInForce(
    of job: ScheduledJob, snapshot: JobSnapshot, at now: Instant
  ) -> [Chapter] {
    let cursor = snapshot.decidedUntil
    guard let startedAt, startedAt <= now else { return [(job, cursor, now)] }
    guard let written = snapshot.schedule else { return [(job, max(cursor, startedAt), now)] }
    guard written != job.schedule.written else { return [(job, cursor, now)] }
    let new = (job, min(now, job.inForceSince ?? startedAt), now)
    guard let schedule = Schedule(written: written, like: job.schedule) else { return [new] }
    var old = job
    old.schedule = schedule
    return [(old, cursor, startedAt), new]
  }
}
