internal import Config
internal import JobKit
internal import Jobs
internal import Ledger
internal import LocalTime
internal import Postgres
internal import Runner
internal import Settings

extension Command {
  /// Says what was decided of a tick, or why a job does not run.
  static let why: Command = Command(
    name: "why",
    summary: "say why a job runs when it does, and what became of a tick"
      + LearningApp.whenOn(", or of a learner"),
    discussion: """
      Without --at it tells when the job runs next, what keeps it from running now, and how its runs
      failed. With --at it tells of the newest tick of the schedule at or before that instant: what was
      decided, by whom and when, or that nobody has decided it yet, and why.

      With --key it tells of one row of the table of a job in SQL whether a run would touch it now, with
      each condition by itself: 'worker why close_old_carts --key 17'. The values of a key of several
      columns have a comma between them.

      All other times are those of the job's zone, whose offset is in the first line; --utc shows UTC.
      JSON always has UTC.
      """ + LearningApp.whenOn(LearnerWhy.discussion),
    words: [.job],
    options: [.config, .at] + LearningApp.whenOn([.user, .day]) + [.key, .json, .utc],
    examples: [
      (
        "worker why deliver_pushes",
        "when it runs next, and what keeps it"
      ),
      (
        "worker why deliver_pushes --at 2026-03-08T02:30:00Z",
        "what became of that tick"
      ),
    ],
    run: { arguments, console in
      let session = try LedgerSession.openLedger(arguments)
      let job = try session.job(named: arguments[.job] ?? "", of: .why)
      if let key = arguments[.key] {
        guard arguments[.at] == nil, arguments[.user] == nil, arguments[.day] == nil else {
          throw UsageError(
            .badValue(key, of: .key, expected: "a row is asked about by --key alone"),
            command: .why)
        }
        let told = try explanation(of: key, of: job, session)
        try console.answer(told.lines.joined(separator: "\n"), told.facts, to: arguments)
        return .done
      }
      guard arguments[.user] == nil, arguments[.day] == nil else {
        if let moment = arguments[.at] {
          throw UsageError(
            .badValue(moment, of: .at, expected: "of a learner --day names the day, not --at"),
            command: .why)
        }
        let told = try LearnerWhy.explain(job, arguments, session)
        try console.answer(told.lines.joined(separator: "\n"), told.facts, to: arguments)
        return .done
      }
      let times =
        arguments.has(.json)
        ? Times(zone: .utc, now: session.now) : try session.times(arguments, of: [job])
      let explanation =
        if let moment = try arguments.instant(
          .at, in: job.schedule.zone, at: session.now, of: .why)
        {
          try Explanation.past(of: job, at: moment, times, session)
        } else {
          try Explanation.present(of: job, times, session)
        }
      try console.answer(
        explanation.lines.joined(separator: "\n"), explanation.json, to: arguments)
      return .done
    })
}

extension Option {
  fileprivate static let at = value(
    "at", "WHEN", "ask about a tick of the past: \(WrittenInstant.forms)")
  fileprivate static let key = value("key", "KEY", "ask what a run would do with this row")
}

extension Command {
  /// What a run would do with a row, also where that depends on what the ledger remembers of the job.
  fileprivate static func explanation(
    of key: String, of job: JobSettings, _ session: borrowing LedgerSession
  ) throws -> KeyExplanation {
    let explainer = try ProgramJobs.keyExplainer(of: job, session.loaded)
    let (now, zones) = (session.now, session.loaded.zones)
    guard let explainer = explainer as? any RememberingKeyExplainer else {
      return try explainer.explain(key: key, at: now, in: zones, session.connection)
    }
    return try explainer.explain(
      key: key, at: now, in: zones, from: LedgerMemory(of: job.name, run: nil),
      session.connection)
  }
}

/// What there is to say about a job's ticks, a sentence each, and the facts behind them.
private struct Explanation {
  let job: JobSettings
  let lines: [String]
  let now: Instant
  var next: Instant?
  var tick: Instant?
  var run: RunRecord?

  var json: JSON {
    [
      "job": .string(job.name.text), "schedule": .string(job.schedule.description),
      "zone": .string(job.schedule.zone.name), "enabled": .boolean(job.isEnabled),
      "next": JSON(next?.description), "tick": JSON(tick?.description),
      "run": run?.json(at: now) ?? nil,
      "says": .array(lines.map { .string($0) }),
    ]
  }
}

extension Explanation {
  /// Why the job runs when it does, and what keeps it from running now.
  static func present(
    of job: JobSettings, _ times: Times, _ session: borrowing LedgerSession
  ) throws -> Explanation {
    let now = session.now
    let next = job.schedule.next(after: now)
    let record = try Ledger.jobs(on: session.connection).first { $0.name == job.name }
    let open = try Ledger.openRun(of: job.name, on: session.connection)
    var lines = ["\(job.name) is due at '\(job.schedule)' in \(zone(of: job, times))"]
    if let next { lines += words(of: next, job, times) }
    if let sentence = job.after.sentence { lines.append(sentence) }
    if !job.isEnabled { lines.append("it is disabled in the settings: its ticks are skipped") }
    if let pause = record?.pause, pause.covers(now) {
      lines.append("it is paused by \(pause.account(times.clock))")
    }
    switch try session.doer(of: job.name, at: now) {
    case .daemon: break
    case .overdue(let name, let age):
      lines.append("\(name), which has code for it, was \(DaemonRecord.notSeen(for: age))")
    case .nobody: lines.append("no daemon with code for it is alive: nothing runs until one is")
    }
    lines += try troubles(of: job, times, session)
    if let open { lines += words(of: open, times) }
    if let waiting = try Ledger.waitingTick(of: job.name, on: session.connection) {
      lines += words(of: waiting, times)
    }
    if let asked = try Ledger.waitingRuns(of: job.name, on: session.connection) {
      lines.append(words(ofWaiting: asked, times))
    }
    if record == nil { lines.append("no daemon with code for it has ever scheduled it here") }
    return Explanation(job: job, lines: lines, now: now, next: next, run: open)
  }

  /// The job's zone with what the times below are: its offset, or UTC where they are not the zone's.
  private static func zone(of job: JobSettings, _ times: Times) -> String {
    let name = job.schedule.zone.name
    guard name != times.zone.name else {
      return name == times.offset ? name : "\(name) (\(times.offset))"
    }
    return "\(name); times are \(times.offset)"
  }

  private static func words(of next: Instant, _ job: JobSettings, _ times: Times) -> [String] {
    var lines = ["its next tick is \(times.text(next))"]
    if let note = job.schedule.note(on: next) { lines.append(note) }
    if let reason = job.schedule.exclusions.reason(at: next) {
      let run = job.schedule.nextRun(after: next).map(times.text) ?? "never"
      lines.append("that tick is skipped, because \(reason); it runs next: \(run)")
    }
    return lines
  }

  /// What the diagnosis says that is not said otherwise here: ticks that nobody decided, failures, a table that is
  /// missing.
  private static func troubles(
    of job: JobSettings, _ times: Times, _ session: borrowing LedgerSession
  ) throws -> [String] {
    let snapshot = try Ledger.healthSnapshot(at: session.now, on: session.connection)
    let scheduled = ScheduledJob(job, in: session.settings)
    let all = snapshot.diagnoses(of: [scheduled], at: session.now)
    guard let diagnosis = all.first(where: { $0.job == job.name }) else { return [] }
    let troubles = diagnosis.problems.map { $0.ownTrouble(times.clock) }
    return ([diagnosis.undecided?.words(times.clock)] + troubles).compactMap(\.self)
  }

  /// What the app has asked for and is not due yet.
  private static func words(
    ofWaiting asked: (count: Int, first: RunRecord), _ times: Times
  ) -> String {
    let first = asked.first
    let arguments = first.arguments.isEmpty ? "" : " with \(first.argumentsText)"
    let key = first.requestKey.map { ", key '\($0)'" } ?? ""
    return "\(first.decidedBy) has asked for \(asked.count.counted("run")) that"
      + " \(asked.count == 1 ? "waits" : "wait"): run \(first.id)\(arguments)\(key)"
      + " \(first.standing(at: times.now))"
  }

  private static func words(of open: RunRecord, _ times: Times) -> [String] {
    let asked = open.arguments.isEmpty ? "" : " with \(open.argumentsText)"
    let run = "run \(open.id) of \(times.clock(open.scheduledFor))\(asked)"
    guard open.state == .held else { return ["\(run) \(open.standing(at: times.now))"] }
    return [
      "\(run) is held for approval", "it \(open.what): 'worker approve \(open.id)' lets it go on",
    ]
  }

  /// What became of the newest scheduled tick at or before a moment.
  static func past(
    of job: JobSettings, at moment: Instant, _ times: Times, _ session: borrowing LedgerSession
  ) throws -> Explanation {
    let told = try TickExplanation(of: job, at: moment, times, session)
    let heading = "\(job.name) in \(zone(of: job, times))"
    return Explanation(
      job: job, lines: [heading] + told.lines, now: session.now, tick: told.tick,
      run: told.run)
  }
}

extension HealthProblem {
  /// What is wrong with the job itself, without its name.
  fileprivate func ownTrouble(_ write: (Instant) -> String) -> String? {
    switch self {
    case .failing, .blocked: said(write)
    default: nil
    }
  }
}
