internal import JobKit
internal import Ledger
internal import LocalTime
internal import Postgres
internal import Runner
internal import Settings

/// What `worker why JOB --at` tells: what became of the newest scheduled tick at or before a moment, or why nothing
/// has become of it yet.
struct TickExplanation {
  let tick: Instant?
  let run: RunRecord?
  let lines: [String]

  init(
    of job: JobSettings, at moment: Instant, _ times: Times, _ session: borrowing LedgerSession
  ) throws {
    let now = session.now
    let record = try Ledger.jobs(on: session.connection).first { $0.name == job.name }
    let told = try Ledger.schedules(of: job.name, on: session.connection)
    let history = ScheduleHistory(
      told, present: job.schedule, knownSince: record?.knownSince ?? now,
      zones: session.loaded.zones
    ).reachingBack
    let opening =
      moment > now ? ["\(times.clock(moment)) is still to come; the newest tick so far:"] : []
    guard let tick = history.newestTick(atOrBefore: min(moment, now)) else {
      (self.tick, run) = (nil, nil)
      lines = opening + ["\(job.name) has no tick at or before \(times.clock(moment))"]
      return
    }
    self.tick = tick
    run = try Ledger.run(ofTick: tick, of: job.name, on: session.connection)
    lines =
      try opening
      + (run.map { Self.words(of: $0, tick, times) }
        ?? Self.words(ofNoRowFor: tick, of: job, record, since: told.first?.since, times, session))
  }

  private static func words(of run: RunRecord, _ tick: Instant, _ times: Times) -> [String] {
    var lines = ["the tick of \(times.text(tick)) is run \(run.id)"]
    lines.append("it was decided by \(run.decidedBy) and \(run.standing(at: times.now))")
    if !run.what.isEmpty, run.finishedAt != nil { lines.append(run.what(times)) }
    if let started = run.startedAt {
      let note = After(run.after).note.map { ", \($0)" } ?? ""
      let delay = RelativeTime.text(started - run.scheduledFor)
      lines.append("it started \(delay) after its moment\(note)")
    }
    return lines
  }

  /// Why a tick has no row: nobody has decided it, or nobody was to, or it is forgotten.
  private static func words(
    ofNoRowFor tick: Instant, of job: JobSettings, _ record: JobRecord?, since scheduled: Instant?,
    _ times: Times, _ session: borrowing LedgerSession
  ) throws -> [String] {
    let opening = "the tick of \(times.text(tick))"
    guard let record, let scheduled else {
      return ["\(opening) has no row: no daemon has ever scheduled the job"]
    }
    // A run by hand or a pause may have made it known before any daemon.
    let begun = max(record.knownSince, scheduled)
    if tick <= begun {
      let start = times.clock(begun.wholeSecond)
      return ["\(opening) has no row: the job is scheduled here since \(start)"]
    }
    if tick <= record.decidedUntil {
      return [opening + whyGone(tick, record, times, session)]
    }
    return ["\(opening) is not decided yet", try reason(of: job, times, session)]
  }

  private static func whyGone(
    _ tick: Instant, _ record: JobRecord, _ times: Times, _ session: borrowing LedgerSession
  ) -> String {
    let retention = session.settings.retention
    let memory = min(retention.succeeded, retention.neverRan)
    guard session.now - tick <= memory else {
      return " has no row any more: the ledger forgets runs after \(memory.written)"
    }
    return " has no row although the job is decided until"
      + " \(times.clock(record.decidedUntil.wholeSecond)): somebody deleted it"
  }

  private static func reason(
    of job: JobSettings, _ times: Times, _ session: borrowing LedgerSession
  ) throws -> String {
    let snapshot = try Ledger.healthSnapshot(at: session.now, on: session.connection)
    let scheduled = ScheduledJob(job, in: session.settings)
    let undecided = snapshot.diagnoses(of: [scheduled], at: session.now)
      .first { $0.job == job.name }?.undecided
    return undecided?.words(times.clock) ?? "a daemon is alive and is about to decide it"
  }
}
