internal import JobKit
internal import Ledger
internal import LocalTime
internal import Runner
internal import Settings

/// One run by hand: entered into the ledger, worked off in this process.
struct ManualRun: ~Copyable {
  let arguments: Arguments
  let console: Console
  let session: LedgerSession
  let pool: WorkerPool
  let job: ScheduledJob
  let interruption: Interruption

  /// Reads the settings, connects, and finds the job, or refuses.
  static func open(_ arguments: Arguments, _ console: Console) throws -> ManualRun {
    let session = try LedgerSession.openLedger(arguments)
    let settings = try session.job(named: arguments[.job] ?? "", of: .run)
    guard let job = ProgramJobs.scheduled(session.loaded).first(where: { $0.name == settings.name })
    else { throw Refused.noCode(settings.name) }
    let pool =
      try arguments.has(.dryRun)
      ? ProgramJobs.simulatedPool(of: session.loaded)
      : ProgramJobs.pool(
        of: session.loaded, forRunsOf: job.name, retrying: !arguments.has(.noRetry))
    let interruption = Interruption(on: session.server, of: job.name, console: console)
    return ManualRun(
      arguments: arguments, console: console, session: session, pool: pool, job: job,
      interruption: interruption)
  }
}

extension ManualRun {
  func run() throws -> ExitCode {
    guard !arguments.has(.resume) else {
      return try besideMaintenance { try resume() }
    }
    let scheduledFor =
      try arguments.instant(
        .for, in: job.schedule.zone, at: session.now, of: .run) ?? session.now
    let values = try namedArguments()
    guard !arguments.has(.dryRun) else {
      return try rehearse(for: scheduledFor, values)
    }
    guard scheduledFor <= session.now else { throw Refused.inTheFuture(job.name, scheduledFor) }
    try refuseWhenPaused()
    return try besideMaintenance {
      guard try awaitTurn() else {
        console.remark("interrupted: no run of \(job.name) was entered")
        return .interrupted
      }
      return try work(on: enter(for: scheduledFor, values))
    }
  }

  /// Does something while a maintenance loop extends the leases of what is worked at here, and Ctrl-C is heard.
  private func besideMaintenance(_ work: () throws -> ExitCode) throws -> ExitCode {
    try FaultInjection.begin(for: .run)
    interruption.hear(for: pool)
    let daemon = daemonWithoutWorkers()
    daemon.start()
    defer { daemon.drain(within: .zero) }
    return try work()
  }

  /// What keeps the parts ours that are worked at here: its maintenance loop extends their leases.
  private func daemonWithoutWorkers() -> Daemon {
    Daemon(
      pool: pool, jobs: [], workers: 0, server: session.server,
      retention: session.settings.retention, isByHand: true)
  }

  private func enter(for scheduledFor: Instant, _ values: [String: String]) throws -> Int {
    var request = Ledger.RunRequest(
      job.name, for: scheduledFor, parts: job.parts, policies: job.policies, by: Host.author)
    request.arguments = values
    request.reason = arguments[.runReason]
    request.percent = job.percent
    return try Ledger.enter(
      request, at: LedgerClock.database.now(on: session.connection), on: session.connection)
  }
}

extension ManualRun {
  private func refuseWhenPaused() throws {
    guard let pause = try session.pause(of: job.name) else { return }
    guard arguments.has(.force), arguments[.runReason] != nil else {
      throw Refused.paused(job.name, pause)
    }
  }
}

extension ManualRun {
  /// What the run is asked to do differently.
  ///
  /// What the job does not know is refused: it would leave it out in silence, and whoever wrote it would take
  /// the run for the one that was meant.
  func namedArguments() throws(UsageError) -> [String: String] {
    let known = ProgramJobs.catalogue(of: session.loaded)[job.name]?.arguments ?? []
    var values: [String: String] = [:]
    for text in arguments.all(.argument) {
      let pair = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map(String.init)
      guard pair.count == 2, !pair[0].isEmpty else {
        throw Self.unreadable(text, expected: "write NAME=VALUE")
      }
      guard let argument = known.first(where: { $0.name == pair[0] }) else {
        throw Self.unreadable(text, expected: "'\(job.name)' \(Self.words(for: known))")
      }
      guard argument.takes(pair[1]) else {
        throw Self.unreadable(text, expected: "write \(argument.usage)")
      }
      guard values[pair[0]] == nil else {
        throw Self.unreadable(text, expected: "'\(pair[0])' is written twice: write it once")
      }
      values[pair[0]] = pair[1]
    }
    return values
  }

  private static func unreadable(_ text: String, expected: String) -> UsageError {
    UsageError(.badValue(text, of: .argument, expected: expected), command: .run)
  }

  /// What a job knows, as one goes on from its name.
  private static func words(for known: [JobArgument]) -> String {
    guard !known.isEmpty else { return "takes no argument" }
    return "takes " + known.map { "\($0.usage) (\($0.meaning))" }.joined(separator: ", ")
  }
}
