internal import Config
internal import JobKit
internal import Ledger
internal import LocalTime
internal import Settings

extension Command {
  /// Runs ticks of the past.
  static let backfill: Command = Command(
    name: "backfill",
    summary: "run ticks of the past that did not run, or failed, or all of them again",
    discussion: """
      Enters a run for each tick of the job from --from on and before --to that never ran: one that was
      missed, or skipped, as by a pause or for overlap. With --reprocess failed it enters one for each that
      failed or was cancelled, with --reprocess all one for every tick, also those that succeeded. The
      daemons work them off behind everything that is scheduled. What runs or waits already is left alone.

      --from may not be older than what the ledger remembers of runs that succeeded, which is
      retention.succeeded in the settings (10 days by default): they would run again. With --reprocess all
      they do, however old they are.

      With --dry-run it only says which. Only detect_streak_breaks, settle_rewards and sweep_push_outcomes of
      the app's own jobs are backfilled: of the others the next run does what missed ones would have done,
      or it would be too late for them. Of the jobs of the settings those are with 'backfill = true', and
      jobs in Swift unless they say that they never are.
      """,
    words: [.job],
    options: [.config, .backfillFrom, .backfillTo, .reprocess, .backfillDry, .json],
    examples: [],
    run: { arguments, console in
      let session = try LedgerSession.openLedger(arguments)
      let backfill = try BackfillRequest.read(arguments, session)
      let ticks = try Ledger.choose(for: backfill, on: session.connection)
      let runs =
        try arguments.has(.backfillDry)
        ? [] : Ledger.enter(backfill, at: session.now, on: session.connection)
      let daemon = try session.doer(of: backfill.job.name, at: session.now)
      if arguments.has(.json) {
        try console.print(json(of: ticks, runs, daemon).pretty)
      } else {
        for line in words(of: backfill, ticks, runs, isDry: arguments.has(.backfillDry)) {
          try console.print(line)
        }
        if !runs.isEmpty { try console.print(outlook(of: backfill.job.name, daemon)) }
      }
      return .done
    })

  private static func json(of ticks: [Instant], _ runs: [Int], _ daemon: Doer) -> JSON {
    [
      "daemon_alive": .boolean(daemon.mayBeThere),
      "ticks": .array(ticks.map { .string($0.description) }),
      "runs": .array(runs.map { .integer($0) }),
    ]
  }

  private static func words(
    of backfill: Backfill, _ ticks: [Instant], _ runs: [Int], isDry: Bool
  ) -> [String] {
    guard let first = ticks.first, let last = ticks.last else {
      return ["none of \(backfill.ticks.count.counted("tick")) is to be run"]
    }
    let range = "\(ticks.count) of \(backfill.ticks.count.counted("tick")), \(first) to \(last)"
    guard !isDry, let firstRun = runs.first, let lastRun = runs.last else {
      return ["would run \(range)"]
    }
    let numbers = runs.count == 1 ? "run \(firstRun)" : "runs \(firstRun) to \(lastRun)"
    return ["entered \(range), as \(numbers)"]
  }

  private static func outlook(of job: JobName, _ daemon: Doer) -> String {
    let progress = "'worker runs \(job)' shows how far they are"
    guard daemon.mayBeThere else {
      return
        "they begin as soon as a daemon runs; none with code for '\(job)' is alive; \(progress)"
    }
    return "the daemons work them off\(daemon.doubt): \(progress)"
  }
}

extension Option {
  fileprivate static let backfillFrom = value(
    "from", "WHEN", "begin with the tick at or after this: \(WrittenInstant.forms)")
  fileprivate static let backfillTo = value(
    "to", "WHEN", "end before this instant, local date or time; else now")
  fileprivate static let reprocess = value(
    "reprocess", "WHICH", "missing (default: what never ran), failed, or all: also what succeeded",
    choices: Backfill.Reprocess.allCases.map(\.rawValue))
  fileprivate static let backfillDry = flag("dry-run", "say which ticks, and enter nothing")
}

/// What the options of `worker backfill` come to.
private enum BackfillRequest {
  static func read(_ arguments: Arguments, _ session: borrowing LedgerSession) throws -> Backfill {
    let settings = try session.job(named: arguments[.job] ?? "", of: .backfill)
    guard let job = ProgramJobs.scheduled(session.loaded).first(where: { $0.name == settings.name })
    else { throw ManualRun.Refused.noCode(settings.name) }
    guard job.policies.mayBackfill || settings.described.isEmpty else {
      throw BackfillError.notSet(job.name)
    }
    let zone = job.schedule.zone
    guard
      let start = try arguments.instant(
        .backfillFrom, in: zone, at: session.now, of: .backfill)
    else {
      throw UsageError(.missingOption(.backfillFrom), command: .backfill)
    }
    let end =
      try arguments.instant(.backfillTo, in: zone, at: session.now, of: .backfill)
      ?? session.now
    guard start < end, end <= session.now else {
      throw UsageError(
        .badValue(
          arguments[.backfillTo] ?? "\(end)", of: .backfillTo,
          expected: "it must lie after --from, \(start), and not in the future"), command: .backfill
      )
    }
    let history = try ScheduleHistory(
      Ledger.schedules(of: job.name, on: session.connection), present: job.schedule,
      knownSince: start, zones: session.loaded.zones)
    return try Backfill(
      of: job, from: start, to: end, reprocess: reprocess(arguments[.reprocess]), by: Host.author,
      history: history.reachingBack,
      remembered: session.now - session.settings.retention.succeeded)
  }

  private static func reprocess(_ text: String?) throws(UsageError) -> Backfill.Reprocess {
    guard let text else { return .missing }
    guard let reprocess = Backfill.Reprocess(rawValue: text) else {
      throw UsageError(
        .badValue(text, of: .reprocess, expected: "write missing, failed or all"),
        command: .backfill)
    }
    return reprocess
  }
}
