internal import JobKit
internal import Ledger
internal import LocalTime
internal import Postgres
internal import Runner
internal import Settings

extension ManualRun {
  /// Works at the run that was entered until it is over, and says how it went.
  func work(on number: Int) throws -> ExitCode {
    console.remark("run \(number) of \(job.name)")
    interruption.concerns(number)
    try workOff(number, parts: job.parts, isOwn: true)
    // Ctrl-C asks for it on a connection of its own, for which there may have been no room.
    if interruption.comes(within: 0) { try cancel(number) }
    return try report(number)
  }

  /// Works at a run until it is over or held, be it that its next try or its turn is still to come.
  func workOff(_ number: Int, parts: Int, isOwn: Bool = false) throws {
    let display = RunDisplay(of: number, server: session.server, console: console)
    defer { display.end() }
    let run = RunSession(
      number, tries: retry.tries, tellsErrors: arguments.has(.json),
      interruption: interruption, console: console)
    do {
      try withWorkers(at: run, parts: parts) { worker in
        repeat {
          try run.workOff(by: &worker)
        } while try isToGoOn(number, isOwn: isOwn)
      }
    } catch let error as PostgresError {
      console.remark(
        "run \(number) may not be over: what was held of it is free when its lease ends, and then a daemon"
          + " or 'worker run \(job.name) --resume' goes on with it")
      throw error
    }
  }

  /// Waits a little, or for the next try; false when the run needs nothing more, or Ctrl-C came.
  ///
  /// Others may have parts of it, and may lose them: then they are ours to do.
  private func isToGoOn(_ number: Int, isOwn: Bool) throws -> Bool {
    let now = try LedgerClock.database.now(on: session.connection)
    guard let run = try Ledger.run(number, on: session.connection), run.finishedAt == nil,
      run.state != .held
    else { return false }
    var pause = 100
    switch run.wait(at: now) {
    case .nextTry(let instant, let failures):
      if failures > 0, arguments.has(.noRetry) { return false }
      pause = max(1, Int(min(instant - now, .seconds(1)) / .milliseconds(1)))
    case .run(let other) where isOwn && job.policies.overlap.isExclusive:
      // It has its place behind the other, for which --wait may wait.
      if now >= session.now + (try Self.patience(arguments[.wait])) {
        try takeBack(number, for: other)
      }
      pause = 500
    default: break
    }
    return !interruption.comes(within: pause)
  }

  /// Ends the own run that has not begun, as another run of the job was entered at the same time and comes first.
  private func takeBack(_ number: Int, for other: Int) throws {
    guard let before = try Ledger.run(other, on: session.connection), before.finishedAt == nil
    else {
      return
    }
    try cancel(number)
    console.remark("run \(number) was cancelled before it began: run \(other) came first")
    try refuse(beside: before)
  }

  private func cancel(_ number: Int) throws {
    let now = try LedgerClock.database.now(on: session.connection)
    _ = try Ledger.cancel(number, by: Host.author, at: now, on: session.connection)
  }

  private var retry: Retry { pool.jobs[job.name]?.policies.retry ?? job.policies.retry }
}

extension ManualRun {
  /// Lets `first` work at a run while further workers take other parts of it, all together as many as it has
  /// parts and the settings have workers.
  func withWorkers(
    at run: RunSession, parts: Int, _ first: (inout Worker) throws -> Void
  ) throws {
    var worker = Worker(of: pool, clock: .database, on: try Connection(to: session.server))
    let others = ExtraWorkers(
      min(parts, session.settings.workers) - 1, at: run, of: pool, on: session.server,
      console: console)
    defer {
      run.end()
      others.end()
    }
    do {
      try first(&worker)
    } catch {
      // Before the others hear that they are to hand over, or they would claim what they gave back.
      run.end()
      pool.activeParts.ask(.drained)
      throw error
    }
  }
}
