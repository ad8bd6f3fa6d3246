internal import JobKit
internal import Ledger
internal import LocalTime
internal import Migrations
internal import Postgres

/// Runs one claimed part to its end, and writes what became of it.
struct PartRunner {
  let job: any Job
  let policies: Policies
  let zones: ZoneDatabase
  let clock: LedgerClock

  /// Does the work of the part on `connection` and gives the connection back, with what happened.
  ///
  /// Nothing of the end is written yet.
  func work(
    at part: ClaimedPart, stop: StopSignal, on connection: consuming Connection
  ) -> PartResult {
    connection.canceller = stop.canceller
    stop.limit(soft: policies.softLimit, hard: policies.hardLimit)
    var context = JobContext(
      of: part, isDryRun: false, zones: zones, clock: clock, stop: stop, on: connection)
    let result = Result { () throws in
      try stop.check()
      try CrashLoop.check(part, under: policies)
      let planned = try checkPlan(of: part, in: context)
      context.planned = part.parts == 1 ? planned : nil
      return try job.run(&context)
    }
    let progress = context.progress
    let connection = context.release()
    // What was asked of the part has been heard; from here on its own words must get through.
    connection.canceller = Canceller()
    return PartResult(
      connection: connection, progress: progress,
      end: end(of: part, after: result, asked: stop.asked))
  }

  /// Asks the job how many it is about to touch, once for each run, and holds that against its bounds; returns it.
  ///
  /// A run that has had effects was within the bounds of its time: whoever had to decide about it now could
  /// not prevent them any more.
  private func checkPlan(of part: ClaimedPart, in context: borrowing JobContext) throws -> Int? {
    guard !part.isApproved else { return part.planned }
    guard let planned = try part.planned ?? job.plan(context) else { return nil }
    let usual = try context.usualPlan(of: part.job, under: policies.bounds)
    if let objection = try policies.bounds.objection(to: planned, usual: usual)
      ?? job.objection(to: planned, context),
      try !context.runHasEffects()
    {
      try (job as? any BasedJob)?.begin(context)
      throw Held(planned: planned, objection: objection)
    }
    if part.planned == nil { try context.save(plan: planned) }
    return planned
  }

  private func end(
    of part: ClaimedPart, after result: Result<Outcome, any Error>, asked: Stopped?
  ) -> PartOutcome {
    switch result {
    case .success(let outcome): .succeeded(outcome)
    case .failure(let error as Stopped): stopped(error, part: part)
    case .failure(let error as FenceLost): .lost("\(error)")
    case .failure(let error as Held): .held(error)
    case .failure(let error as CrashLoop): .failed("\(error)")
    case .failure(let error as FailedForGood): .failed("\(error)")
    case .failure(let error):
      // A statement that was cut off fails as cancelled; what matters is why it was cut.
      if let asked, case PostgresError.cancelled = error {
        stopped(asked, part: part)
      } else {
        failed(error.wordsOfPart, part: part)
      }
    }
  }

  private func stopped(_ why: Stopped, part: ClaimedPart) -> PartOutcome {
    switch why {
    case .drained: .released
    case .cancelled: .cancelled
    case .fenceLost: .lost("\(FenceLost(fence: part.fence))")
    case .tookTooLong(let limit): failed("took longer than \(limit.inWords)", part: part)
    }
  }

  private func failed(_ error: String, part: ClaimedPart) -> PartOutcome {
    let seed = StableHash.of("\(part.fence.run) \(part.fence.part)")
    guard let wait = policies.retry.wait(after: part.failures + 1, seed: seed) else {
      return .failed(error)
    }
    return .retry(error, after: wait)
  }
}

extension PartRunner {
  /// Writes the end of a part; what comes back says what really became of it, and whether its run is over.
  func write(
    _ end: PartOutcome, under claim: Claim, on connection: borrowing Connection
  ) -> (end: PartOutcome, endsRun: Bool) {
    do {
      do {
        return (end, try record(end, under: claim, on: connection))
      } catch let error as PostgresError where error.isRetryable {
        return (end, try record(end, under: claim, on: connection))
      }
    } catch let error as FenceLost {
      return (.lost("\(error)"), false)
    } catch {
      return (.unwritten(end, error), false)
    }
  }

  /// Writes it; returns whether its run is over.
  private func record(
    _ end: PartOutcome, under claim: Claim, on connection: borrowing Connection
  ) throws -> Bool {
    switch end {
    case .succeeded: return try finish(claim, as: .succeeded, on: connection)
    case .cancelled: return try finish(claim, as: .cancelled, on: connection)
    case .failed(let error): return try finish(claim, as: .failed(error), on: connection)
    case .released: try release(claim, because: .drained, after: .zero, on: connection)
    case .retry(let error, let wait):
      try release(claim, because: .failed(error), after: wait, on: connection)
    case .held(let held):
      try Ledger.hold(
        claim, planned: held.planned, because: held.objection, at: clock.reading, on: connection)
    case .lost, .unwritten: break
    }
    return false
  }

  private func finish(
    _ claim: Claim, as end: PartEnd, on connection: borrowing Connection
  ) throws -> Bool {
    Failpoint.finishBegun.pass()
    let endsRun = try Ledger.finish(claim, as: end, at: clock.reading, on: connection)
    Failpoint.finishWritten.pass()
    return endsRun
  }

  private func release(
    _ claim: Claim, because reason: ReleaseReason, after wait: Duration,
    on connection: borrowing Connection
  ) throws {
    Failpoint.releaseBegun.pass()
    try Ledger.release(claim, because: reason, after: wait, at: clock.reading, on: connection)
    Failpoint.releaseWritten.pass()
  }
}

/// A part that has run, and the connection that it ran on.
struct PartResult: ~Copyable {
  let connection: Connection
  let progress: Progress
  let end: PartOutcome
}
