internal import LocalTime
internal import Postgres

/// Runs one claimed part to its end, and writes what became of it.
struct PartRunner {
  let job: any Job
  let policies: Policies
  let zones: ZoneDatabase

  /// Runs the part on `connection` and gives the connection back, with what happened.
  ///
  /// `now` is asked again at the end: the work took its time.
  func run(
    _ part: ClaimedPart, stop: StopSignal, on connection: consuming Connection,
    now: (borrowing Connection) throws(PostgresError) -> Instant
  ) -> PartResult {
    var context = JobContext(
      of: part, isDryRun: false, zones: zones, stop: stop, on: connection)
    let result = Result { () throws in try job.run(&context) }
    let progress = context.progress
    let connection = context.release()
    // What was asked of the part has been heard; from here on its own words must get through.
    connection.canceller = Canceller()
    let end = self.end(of: part, after: result, asked: stop.asked)
    do {
      try write(end, of: part, at: try now(connection), on: connection)
      return PartResult(connection: connection, progress: progress, end: end)
    } catch let error as FenceLost {
      return PartResult(connection: connection, progress: progress, end: .lost("\(error)"))
    } catch {
      return PartResult(connection: connection, progress: progress, end: .unwritten(end, error))
    }
  }

  private func end(
    of part: ClaimedPart, after result: Result<Outcome, any Error>, asked: Stopped?
  ) -> PartOutcome {
    switch result {
    case .success(let outcome): .succeeded(outcome)
    case .failure(let error as Stopped): stopped(error, part: part)
    case .failure(let error as FenceLost): .lost("\(error)")
    case .failure(let error):
      // A statement that was cut off fails as cancelled; what matters is why it was cut.
      if let asked, case PostgresError.cancelled = error {
        stopped(asked, part: part)
      } else {
        failed("\(error)", part: part)
      }
    }
  }

  private func stopped(_ why: Stopped, part: ClaimedPart) -> PartOutcome {
    switch why {
    case .drained: .handedOver
    case .cancelled: .cancelled
    case .fenceLost: .lost("\(FenceLost(fence: part.fence))")
    case .tookTooLong(let limit): failed("took longer than \(limit)", part: part)
    }
  }

  private func failed(_ error: String, part: ClaimedPart) -> PartOutcome {
    let seed = StableHash.of("\(part.fence.run) \(part.fence.part)")
    guard let wait = policies.retry.wait(after: part.attempts + 1, seed: seed) else {
      return .failed(error)
    }
    return .toBeTriedAgain(error, in: wait)
  }

  private func write(
    _ end: PartOutcome, of part: ClaimedPart, at now: Instant, on connection: borrowing Connection
  ) throws {
    switch end {
    case .succeeded: try finish(part, as: .succeeded, at: now, on: connection)
    case .cancelled: try finish(part, as: .cancelled, at: now, on: connection)
    case .failed(let error): try finish(part, as: .failed(error), at: now, on: connection)
    case .handedOver: try giveBack(part, because: .drained, from: now, on: connection)
    case .toBeTriedAgain(let error, let wait):
      try giveBack(part, because: .failed(error), from: now + wait, on: connection)
    case .lost, .unwritten: break
    }
  }

  private func finish(
    _ part: ClaimedPart, as end: PartEnd, at now: Instant, on connection: borrowing Connection
  ) throws {
    Failpoint.finishBegun.pass()
    try Ledger.finish(part.fence, as: end, at: now, on: connection)
    Failpoint.finishWritten.pass()
  }

  private func giveBack(
    _ part: ClaimedPart, because reason: GivenBack, from moment: Instant,
    on connection: borrowing Connection
  ) throws {
    Failpoint.giveBackBegun.pass()
    try Ledger.giveBack(part.fence, because: reason, from: moment, on: connection)
    Failpoint.giveBackWritten.pass()
  }
}

/// A part that has run, and the connection that it ran on.
struct PartResult: ~Copyable {
  let connection: Connection
  let progress: Progress
  let end: PartOutcome
}

/// What became of a part in the hands of one worker.
public indirect enum PartOutcome: Sendable {
  case succeeded(Outcome)
  case cancelled
  case failed(String)
  case toBeTriedAgain(String, in: Duration)

  /// Given back because the daemon ends.
  case handedOver

  /// It belongs to another worker now; nothing was written.
  case lost(String)

  /// It could not be written, so the lease runs out and another worker goes on.
  case unwritten(PartOutcome, any Error)
}
