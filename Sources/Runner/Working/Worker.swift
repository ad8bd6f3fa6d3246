public import JobKit
public import Ledger
internal import LocalTime
public import Postgres

/// One worker: a connection, and the parts that it claims and runs on it, one after the other.
public struct Worker: ~Copyable {
  private let pool: WorkerPool
  private let clock: LedgerClock
  private var connection: Connection

  /// Whether the end of the part before may not be safe on the server's disk yet.
  private var owesDisk = false

  public init(of pool: WorkerPool, clock: LedgerClock, on connection: consuming Connection) {
    self.pool = pool
    self.clock = clock
    self.connection = connection
  }

  /// The parts that it and the other workers of its pool hold.
  package var activeParts: ActiveParts { pool.activeParts }

  /// What a worker did with one part.
  public struct PartExecution: Sendable {
    public let part: ClaimedPart
    public fileprivate(set) var end: PartOutcome
    public let progress: Progress

    /// Whether the run is over with this part.
    public fileprivate(set) var endsRun = false

    /// How long the part was in its hands.
    public fileprivate(set) var took: Duration = .zero

    /// What the ledger has to say of the part before its end is written.
    fileprivate var claim: Claim { part.claim.after(progress) }
  }

  /// Claims what is due next and runs it to its end: one part, or a batch of tiny ones of one run;
  /// gives nothing when nothing is due.
  ///
  /// With `run` it claims parts of that run only.
  public mutating func work(
    onlyOn run: Int? = nil, hearing listener: (ClaimedPart) -> Void = { _ in }
  ) throws -> [PartExecution] {
    Failpoint.claimBegun.pass()
    let leaseEnd = ContinuousClock.now + pool.lease
    let parts = try claim(onlyOn: run)
    guard let job = parts.first?.job, let member = pool.jobs[job] else { return [] }
    Failpoint.claimClaimed.pass()
    let signals = parts.map { _ in StopSignal() }
    for (part, stop) in zip(parts, signals) {
      stop.hold(until: leaseEnd)
      pool.activeParts.add(part.fence, stop: stop)
    }
    defer {
      for (part, stop) in zip(parts, signals) { pool.activeParts.remove(part.fence, stop: stop) }
    }
    let runner = PartRunner(
      job: member.job, policies: member.policies, zones: pool.zones, clock: clock)
    var executions: [PartExecution] = []
    for (part, stop) in zip(parts, signals) {
      listener(part)
      executions.append(carryOut(part, by: runner, stop: stop, isAlone: parts.count == 1))
    }
    if parts.count > 1 { finish(&executions) }
    if executions.contains(where: pool.mayHaveMore(after:)) { pool.alsoDue.forget() }
    return executions
  }

  /// What the ledger knows of a run.
  borrowing func record(of run: Int) throws(PostgresError) -> RunRecord? {
    try Ledger.run(run, on: connection)
  }

  /// One part, and when its job wants batches a batch of its run.
  private mutating func claim(onlyOn run: Int?) throws(PostgresError) -> [ClaimedPart] {
    guard run == nil else { return try withBatch(of: claim(1, of: nil, onlyOn: run)) }
    if let seen = try claimSeen() { return try withBatch(of: seen) }
    return try withBatch(of: claimInTurn())
  }

  /// What is most urgent of all jobs, by a look of its own or by that of another worker which it has waited for.
  private mutating func claimInTurn() throws(PostgresError) -> [ClaimedPart] {
    // Of one job a look sees nothing for others.
    guard pool.jobs.count > 1 else { return try claim(1, of: nil) }
    let alsoDue = pool.alsoDue
    var turn = alsoDue.beginLook()
    if turn == .afterAnother {
      if let seen = try claimSeen() { return seen }
      turn = alsoDue.beginLook()
    }
    defer { if turn == .begun { alsoDue.endLook() } }
    return try claim(1, of: nil)
  }

  private mutating func withBatch(
    of first: [ClaimedPart]
  ) throws(PostgresError) -> [ClaimedPart] {
    guard let part = first.first, let batch = pool.jobs[part.job]?.policies.batch, batch > 1,
      part.parts > 1
    else { return first }
    return first + (try claim(batch - 1, of: part.job, onlyOn: part.fence.run))
  }

  /// A part of a job of which another worker has seen one due; nothing where none was seen, or others were faster.
  private mutating func claimSeen() throws(PostgresError) -> [ClaimedPart]? {
    for _ in 0..<Self.mostMisses {
      guard let job = pool.alsoDue.next(), pool.jobs[job] != nil else { return nil }
      let found = try claim(1, of: job)
      if !found.isEmpty { return found }
      pool.alsoDue.leave(job)
    }
    return nil
  }

  /// A few are taken by workers that looked at the same time; of many others were faster.
  private static let mostMisses = 5

  /// Parts of one job, or of any: then it is noted what else is due.
  private mutating func claim(
    _ most: Int, of job: JobName?, onlyOn run: Int? = nil
  ) throws(PostgresError) -> [ClaimedPart] {
    let slots = pool.jobs.compactMapValues(\.policies.parallelParts)
    let began = ContinuousClock.now
    let found = try Ledger.claim(
      most, of: job.map { [$0] } ?? Array(pool.jobs.keys), slots: slots, onlyOn: run,
      for: pool.name, lease: pool.lease, isSafe: owesDisk, at: clock.reading, on: connection)
    owesDisk = false
    if job == nil, run == nil {
      pool.alsoDue.note(found.first?.alsoDue ?? [], besides: found.first?.job, since: began)
    }
    return found
  }

  private mutating func carryOut(
    _ part: ClaimedPart, by runner: PartRunner, stop: StopSignal, isAlone: Bool
  ) -> PartExecution {
    let (pool, clock) = (self.pool, self.clock)
    let began = ContinuousClock.now
    let result = runner.work(at: part, stop: stop, on: connection)
    stop.letGo()
    var execution = PartExecution(part: part, end: result.end, progress: result.progress)
    self = Worker(of: pool, clock: clock, on: result.connection)
    if case .succeeded = execution.end, !isAlone {
      execution.took = ContinuousClock.now - began
      return execution
    }
    (execution.end, execution.endsRun) = runner.write(
      execution.end, under: execution.claim, on: connection)
    owesDisk = part.parts > 1
    execution.took = ContinuousClock.now - began
    return execution
  }

  private func end(
    _ claims: [Claim]
  ) throws(PostgresError) -> (ours: Set<Fence>, endTheRun: Bool) {
    do throws(PostgresError) {
      return try Ledger.finish(claims, at: clock.reading, on: connection)
    } catch {
      guard error.isRetryable else { throw error }
      return try Ledger.finish(claims, at: clock.reading, on: connection)
    }
  }

  /// Writes the ends of the parts of a batch that succeeded, all in one statement.
  ///
  /// Until then their leases go on, and a crash only runs them again from their last chunk.
  private func finish(_ executions: inout [PartExecution]) {
    let done = executions.indices.filter {
      if case .succeeded = executions[$0].end { true } else { false }
    }
    do throws(PostgresError) {
      let (ours, endTheRun) = try end(done.map { executions[$0].claim })
      for index in done where !ours.contains(executions[index].part.fence) {
        executions[index].end = .lost("\(FenceLost(fence: executions[index].part.fence))")
      }
      if let last = done.last { executions[last].endsRun = endTheRun }
    } catch {
      for index in done { executions[index].end = .unwritten(executions[index].end, error) }
    }
  }
}

extension WorkerPool {
  /// Whether parts of its job may begin with the end of a part that no look before it has seen, and that may be more
  /// urgent than what it has.
  fileprivate func mayHaveMore(after execution: Worker.PartExecution) -> Bool {
    let job = execution.part.job
    if execution.part.hasRunBehind || jobs[job]?.policies.parallelParts != nil { return true }
    if case .succeeded = execution.end { return false }
    return true
  }
}
