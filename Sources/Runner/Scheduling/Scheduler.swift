public import JobKit
public import Ledger
public import LocalTime
public import Postgres

/// Decides what is due: one pass writes a row for every tick whose moment has come.
///
/// It holds no truth of its own. The cursor of each job is in the ledger, so a pass may be late, be
/// repeated, or be made by two daemons at once, and every tick still has one row.
public struct Scheduler {
  private let jobs: [ScheduledJob]
  private let daemon: String

  /// By which a tick finds those that it waits for.
  private let schedules: [JobName: Schedule]

  /// Who is asked once more before the clock is taken to have been set back; without one, the pass is believed.
  private let clock: LedgerClock?

  private var jobCursors: [JobName: JobCursor] = [:]

  /// The jobs of which others have decided what was awaited here, since the last pass.
  private var decidedElsewhere: Set<JobName> = []

  /// When it began: a schedule that is new to the ledger is in force since then.
  private(set) var startedAt: Instant?

  public init(_ jobs: [ScheduledJob], daemon: String, clock: LedgerClock? = nil) {
    (self.jobs, self.daemon, self.clock) = (jobs, daemon, clock)
    schedules = Dictionary(jobs.map { ($0.name, $0.schedule) }) { first, _ in first }
  }

  /// Makes the jobs known to the ledger, and learns from it how far each is decided.
  public mutating func start(
    at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) {
    startedAt = now
    try Ledger.beginSchedules(of: jobs, at: now, on: connection)
    let cursors = try Ledger.cursors(of: jobs.map(\.name), on: connection)
    for job in jobs {
      let (cursor, schedule) = cursors[job.name] ?? (nil, nil)
      setCursor(of: job, to: cursor)
      jobCursors[job.name]?.isReplaced = schedule != job.schedule.written
    }
  }

  /// Learns anew how far each job is decided: a crash of the server behind a pooler may have forgotten
  /// what this scheduler remembers.
  public mutating func lookAgain(on connection: borrowing Connection) throws(PostgresError) {
    let cursors = try Ledger.cursors(of: jobs.map(\.name), on: connection)
    for job in jobs where jobCursors[job.name]?.cursor != cursors[job.name]?.cursor {
      jobCursors[job.name]?.isMissing = cursors[job.name] == nil
      guard let found = cursors[job.name] else { continue }
      recordDecidedElsewhere(of: job, until: found.cursor)
      setCursor(of: job, to: found.cursor)
    }
  }

  /// Decides every tick up to `now` of every job.
  public mutating func pass(
    at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) -> Pass {
    var pass = Pass()
    pass.jobs = Set(jobs.map(\.name))
    for job in jobs where needsDecision(job, at: now) {
      do {
        try decide(job, in: &pass, at: now, on: connection)
      } catch let error as PostgresError where error.needsNewConnection {
        throw error
      } catch {
        pass.failures.append((job.name, error))
        jobCursors[job.name]?.backOff(at: now)
      }
    }
    swap(&pass.decidedByOthers, &decidedElsewhere)
    let moments = jobCursors.values.compactMap { $0.wakeAt(after: now) }
    pass.nextTick = moments.min()
    pass.jobsAtNextTick = moments.count { $0 == pass.nextTick }
    return pass
  }

  /// Goes over to other jobs: what has come is decided by the old ones, what is to come by the new.
  ///
  /// A tick that only a new schedule has and that has passed is none: nobody was told of it. One that only new rules
  /// of a zone have is skipped.
  public mutating func change(
    to jobs: [ScheduledJob], at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) -> Pass {
    let pass = try pass(at: now, on: connection)
    let old = schedules
    let undecided = Set(pass.failures.map(\.job))
    self = Scheduler(
      jobs.map { job in
        var job = job
        let isChanged = old[job.name].map { $0 != job.schedule } ?? false
        if isChanged, !undecided.contains(job.name) { job.inForceSince = now }
        return job
      }, daemon: daemon, clock: clock)
    try start(at: now, on: connection)
    return pass
  }

  /// Notes what others have decided, before it is known here.
  private mutating func recordDecidedElsewhere(of job: ScheduledJob, until cursor: Instant?) {
    guard let cursor, let tick = jobCursors[job.name]?.nextTick, tick <= cursor else { return }
    decidedElsewhere.insert(job.name)
  }

  private mutating func setCursor(of job: ScheduledJob, to cursor: Instant?) {
    jobCursors[job.name] = JobCursor(
      cursor: cursor, nextTick: cursor.flatMap { job.schedule.next(after: $0) })
  }

  private func needsDecision(_ job: ScheduledJob, at now: Instant) -> Bool {
    jobCursors[job.name]?.needsDecision(at: now, isElapsed: job.schedule.isElapsed) ?? false
  }

  private mutating func decide(
    _ job: ScheduledJob, in pass: inout Pass, at now: Instant, on connection: borrowing Connection
  ) throws {
    var (ticks, now) = ([Tick](), now)
    repeat {
      let step = try decideSome(of: job, enteringIn: &pass, at: now, on: connection)
      Failpoint.decideCommitted.pass()
      if let clockStep = step.clockStep { pass.clockSteps.append((job.name, clockStep)) }
      if step.ticks.isEmpty { recordDecidedElsewhere(of: job, until: step.cursor) }
      ticks += step.ticks
      setCursor(of: job, to: step.cursor)
      jobCursors[job.name]?.isReplaced = step.leavesOther
      now = step.now
    } while needsDecision(job, at: now)
    if !ticks.isEmpty { pass.decided.append((job.name, ticks)) }
  }

  /// Decides some ticks of a job; one that the ledger has lost is entered anew, from where it was decided.
  private func decideSome(
    of job: ScheduledJob, enteringIn pass: inout Pass, at now: Instant,
    on connection: borrowing Connection
  ) throws -> Step {
    do {
      return try retryingOnce { try decideSome(of: job, at: now, on: connection) }
    } catch SchedulerError.unknownJob {
      let cursor = min(jobCursors[job.name]?.cursor ?? now, now)
      try Ledger.beginSchedules(of: [job], at: cursor, on: connection)
      pass.entered.append((job.name, cursor))
    }
    return try retryingOnce { try decideSome(of: job, at: now, on: connection) }
  }

  /// Does a transaction once more when others got in its way: it is as good as new.
  private func retryingOnce(_ decide: () throws -> Step) throws -> Step {
    do {
      return try decide()
    } catch let error as PostgresError where error.isRetryable {
      return try decide()
    }
  }

  /// A job whose row somebody else holds is set back rather than waited for: the others are due too.
  static let lockLimit = Duration.seconds(1)

  private func decideSome(
    of job: ScheduledJob, at now: Instant, on connection: borrowing Connection
  ) throws -> Step {
    // A decision that a crash of the server forgets is made again: its cursor is forgotten with it. That a
    // schedule is over has none by which it would be missed.
    try connection.transaction(
      opening: Ledger.selectForDecision(of: job.name, at: now), lockLimit: Self.lockLimit,
      isDurable: jobCursors[job.name]?.isReplaced ?? false
    ) { connection, answers in
      guard let snapshot = try Ledger.snapshot(in: answers) else {
        throw SchedulerError.unknownJob(job.name)
      }
      Failpoint.decideLocked.pass()
      let now = try ClockStep.confirmed(
        now, against: snapshot.decidedUntil, isElapsed: job.schedule.isElapsed, by: clock,
        on: connection)
      return step(of: job, from: snapshot, at: now)
    }
  }

  /// What a transaction decides, and what it writes.
  private func step(
    of job: ScheduledJob, from snapshot: JobSnapshot, at now: Instant
  ) -> (value: Step, closing: [Statement]) {
    let cursor = snapshot.decidedUntil
    if let step = ClockStep(cursor: cursor, now: now, isElapsed: job.schedule.isElapsed) {
      return (
        Step(now: now, cursor: now, clockStep: step),
        [
          Ledger.rewindCursor(of: job.name, by: step),
          // What was noted ahead of it counts no more.
          Ledger.noting(job.schedule, of: job.name, since: now),
          Ledger.bringingWaitsBack(of: [job], at: "\(now)"),
        ]
      )
    }
    var snapshot = snapshot
    for inForce in schedulesInForce(of: job, snapshot: snapshot, at: now) {
      snapshot.decidedUntil = max(snapshot.decidedUntil, inForce.start)
      guard
        let decision = Decision.of(inForce.job, snapshot: snapshot, through: inForce.end, at: now)
      else { continue }
      return (
        Step(
          now: now, ticks: decision.ticks, cursor: decision.ticks.last?.scheduledFor ?? cursor,
          leavesOther: inForce.job.schedule.written != job.schedule.written),
        writing(decision, of: inForce.job, snapshot: snapshot, at: now)
      )
    }
    return (
      Step(now: now, cursor: snapshot.decidedUntil),
      noting(job, unlessIn: snapshot, since: snapshot.decidedUntil)
    )
  }

  /// The cursor goes to where the schedule begins: the ticks that this one has before that are none.
  private func noting(
    _ job: ScheduledJob, unlessIn snapshot: JobSnapshot, since: Instant
  ) -> [Statement] {
    guard snapshot.schedule != job.schedule.written else { return [] }
    return [
      Ledger.noting(job.schedule, of: job.name, since: since),
      Ledger.beginning(job.name, at: since),
    ]
  }

  private func writing(
    _ decision: Decision, of job: ScheduledJob, snapshot: JobSnapshot, at now: Instant
  ) -> [Statement] {
    var statements = noting(job, unlessIn: snapshot, since: snapshot.decidedUntil)
    if decision.cancelsOthers {
      statements.append(
        Ledger.askingToCancel(job.name, by: "overlap of \(job.name)", at: now))
    }
    statements.append(
      Ledger.writing(
        decision, of: job, knowing: schedules, repeatsUntil: snapshot.repeatsUntil, by: daemon,
        at: now))
    return statements
  }
}
