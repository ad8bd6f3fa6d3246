internal import Glibc
internal import JobKit
internal import LocalTime
internal import Postgres

/// One run by hand: entered into the ledger, worked off in this process.
struct ManualRun: ~Copyable {
  let arguments: Arguments
  let console: Console
  let opened: Opened
  let crew: Crew
  let job: ScheduledJob
  let interruption: Interruption

  /// Reads the settings, connects, and finds the job, or refuses.
  static func open(_ arguments: Arguments, _ console: Console) throws -> ManualRun {
    let opened = try Opened.openLedger(arguments)
    let settings = try opened.job(named: arguments[.job] ?? "", of: .run)
    guard let job = ProgramJobs.scheduled(opened.loaded).first(where: { $0.name == settings.name })
    else { throw Refused.noCode(settings.name) }
    let crew =
      try arguments.has(.dryRun)
      ? ProgramJobs.simulatedCrew(of: opened.loaded)
      : ProgramJobs.crew(of: opened.loaded, forRunsOf: job.name)
    let interruption = Interruption(on: opened.server)
    return ManualRun(
      arguments: arguments, console: console, opened: opened, crew: crew, job: job,
      interruption: interruption)
  }

  /// Why a run by hand is refused for now.
  enum Refused: Error, CustomStringConvertible {
    case noCode(JobName)
    case inTheFuture(JobName, Instant)
    case paused(JobName, Pause)
    case running(JobName, run: RunRecord, part: PartRecord?)

    var description: String {
      switch self {
      case .noCode(let job):
        "this program has no code for '\(job)' yet: nothing was entered into the ledger"
      case .inTheFuture(let job, let instant):
        "'\(job)' cannot be run for \(instant), which is still to come: its data is not complete yet;"
          + " --dry-run shows what it would do with what is known now"
      case .paused(let job, let pause):
        "'\(job)' is paused by \(pause.author): \(pause.reason); 'worker resume \(job)' lets it go on,"
          + " --force with --reason runs it all the same"
      case .running(let job, let run, let part):
        "'\(job)' runs already: run \(run.id)"
          + (part?.worker.map { " on \($0)" }
            ?? ", which waits for \(run.state == "held" ? "approval" : "a worker")")
          + (run.startedAt.map { " since \($0)" } ?? "")
          + "; wait for its end with --wait 10m, or end it with 'worker cancel \(run.id)'"
      }
    }
  }
}

extension ManualRun {
  consuming func run() throws -> ExitCode {
    let scheduledFor =
      try arguments.instant(
        .for, in: job.schedule.zone, at: opened.now, of: .run) ?? opened.now
    let values = try namedArguments()
    guard !arguments.has(.dryRun) else {
      return try rehearse(for: scheduledFor, values)
    }
    guard scheduledFor <= opened.now else { throw Refused.inTheFuture(job.name, scheduledFor) }
    try refuseWhenPaused()
    try Rehearsing.begin(for: .run)
    interruption.hear(for: crew)
    let daemon = daemonWithoutWorkers()
    daemon.start()
    defer { daemon.drain(within: .zero) }
    guard try awaitTurn() else { return .interrupted }
    return try work(on: enter(for: scheduledFor, values))
  }

  /// What keeps the parts ours that are worked at here: its heart extends their leases.
  private func daemonWithoutWorkers() -> Daemon {
    Daemon(
      crew: crew, jobs: [], workers: 0, server: opened.server,
      retention: opened.settings.retention, isByHand: true)
  }

  private func enter(for scheduledFor: Instant, _ values: [String: String]) throws -> Int {
    var request = Ledger.RunRequest(
      job.name, for: scheduledFor, parts: job.parts, policies: job.policies, by: Host.author)
    request.arguments = values
    request.reason = arguments[.runReason]
    request.percent = job.percent
    return try Ledger.enter(
      request, at: LedgerClock.database.now(on: opened.connection), on: opened.connection)
  }
}

extension ManualRun {
  private func refuseWhenPaused() throws {
    guard let pause = try opened.pause(of: job.name) else { return }
    guard arguments.has(.force), arguments[.runReason] != nil else {
      throw Refused.paused(job.name, pause)
    }
  }
}

extension ManualRun {
  private func work(on number: Int) throws -> ExitCode {
    console.remark("run \(number) of \(job.name)")
    interruption.concerns(number)
    let display = RunDisplay(of: number, server: opened.server, console: console)
    defer { display.end() }
    let run = runAtHand(number)
    try withWorkers(at: run, parts: job.parts) { worker in
      repeat {
        try run.workOff(by: &worker)
        // Others may have parts of it, and may lose them: then they are ours to do.
      } while try (isWorkedAt(number) || isToBegin(number)) && !interruption.comes(within: 100)
    }
    // Ctrl-C asks for it on a connection of its own, for which there may have been no room.
    if interruption.comes(within: 0) { try cancel(number) }
    return try report(number)
  }

  /// Whether a run waits that only now can be claimed; one that another run of the job came before is
  /// taken back.
  private func isToBegin(_ number: Int) throws -> Bool {
    guard job.policies.overlap.isExclusive,
      try Ledger.run(number, on: opened.connection)?.state == "due"
    else { return false }
    if let other = try Ledger.openRun(of: job.name, on: opened.connection), other.id != number {
      try cancel(number)
      try refuse(beside: other)
    }
    return true
  }

  private func cancel(_ number: Int) throws {
    let now = try LedgerClock.database.now(on: opened.connection)
    _ = try Ledger.cancel(number, by: Host.author, at: now, on: opened.connection)
  }

  private func isWorkedAt(_ number: Int) throws -> Bool {
    try Ledger.parts(of: number, on: opened.connection).contains { $0.state == "running" }
  }
}
