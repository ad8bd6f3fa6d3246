internal import Config
internal import JobKit
internal import Ledger
internal import LocalTime
internal import Postgres
internal import Runner
internal import Settings

extension Command {
  /// Shows what is scheduled.
  static let jobs: Command = Command(
    name: "jobs",
    summary: "show the jobs: when each runs next, how it went last, and who paused it",
    discussion: """
      One line for each job of the settings, with its next tick and the newest run that ran. A job whose
      latest runs all failed, or that lacks a table or a right, says so under 'state'. While no daemon is
      alive, the first line says that, and since when.

      Times are those of the jobs' zone, with its offset in the heading. Where jobs have several, they are
      those of the zone of the settings ('time.zone'); --utc shows UTC. JSON always has UTC.
      """,
    options: [.config, .json] + Option.ofTimes,
    examples: [
      (
        "worker jobs",
        "for people"
      ),
      (
        "worker jobs --json",
        "for machines"
      ),
    ],
    run: { arguments, console in
      let session = try LedgerSession.openLedger(arguments)
      let known = try Ledger.jobs(on: session.connection)
      let settings = session.settings
      let scheduled = ProgramJobs.scheduled(session.loaded)
      let snapshot = try Ledger.healthSnapshot(at: session.now, on: session.connection)
      let diagnoses = snapshot.diagnoses(of: scheduled, at: session.now)
      let unentered = snapshot.unentered(among: scheduled)
      var lines: [JobLine] = []
      for job in settings.jobs {
        let record = known.first { $0.name == job.name }
        lines.append(
          JobLine(
            job: job, record: record, run: try openRun(of: record, on: session.connection),
            diagnosis: diagnoses.first { $0.job == job.name },
            isUnentered: unentered.contains(job.name), now: session.now))
      }
      if arguments.has(.json) {
        try console.print(JSON.array(lines.map(\.json)).pretty)
      } else {
        let times = try session.times(arguments, of: session.settings.jobs)
        if let absence = try session.absence(times) { try console.print(absence) }
        try console.show(table(of: lines, times), arguments, of: .jobs)
        try remarkOnOthers(session, console)
      }
      return .done
    })

  /// The run of a job that goes on, or the tick that waits for other jobs.
  private static func openRun(
    of record: JobRecord?, on connection: borrowing Connection
  ) throws(PostgresError) -> RunRecord? {
    guard let record else { return nil }
    if record.isLastOpen { return try Ledger.openRun(of: record.name, on: connection) }
    return try record.waitingRun.flatMap { run throws(PostgresError) in
      try Ledger.run(run, on: connection)
    }
  }

  static func table(of lines: [JobLine], _ times: Times) -> Table {
    var table = Table(
      "job", Table.Column("schedule", rank: 2), Table.Column("zone", rank: 4),
      times.column("next"), times.column("last run", rank: 3), "state")
    for line in lines {
      table.add(
        line.job.name.text, line.job.rhythm, line.job.schedule.zone.name,
        line.next.map(times.text) ?? line.stillness, times.text(line.record?.lastRun),
        line.state(times))
    }
    return table
  }

  /// Says which daemons go by other settings: what they run is not what this table shows.
  private static func remarkOnOthers(_ session: borrowing LedgerSession, _ console: Console) throws
  {
    let (now, own) = (session.now, session.settings.hash)
    let others = try Ledger.daemons(on: session.connection).filter {
      !$0.isByHand && $0.mayLive(at: now) && $0.settingsHash != own
    }
    guard let first = others.first else { return }
    let rest = others.count == 1 ? "" : " and \(others.count - 1) more"
    console.remark(
      "daemon \(first.name)\(rest) runs with other settings (\(first.settingsHash)) than this file"
        + " (\(own)): this shows the jobs of the file, 'worker daemons' the settings of each daemon"
    )
  }
}

/// One job between the settings and the ledger.
struct JobLine {
  let job: JobSettings
  let record: JobRecord?

  /// The run that is not over, of those that began, or the tick that waits for other jobs.
  var run: RunRecord?
  let diagnosis: JobDiagnosis?

  /// Whether a daemon is alive, and decides no tick of this job.
  let isUnentered: Bool
  let now: Instant

  var pause: Pause? { record?.pause.flatMap { $0.covers(now) ? $0 : nil } }

  var next: Instant? {
    guard job.isEnabled, pause == nil else { return nil }
    return job.schedule.nextRun(after: now)
  }

  /// Why the next tick is not run, when a calendar keeps it from that.
  var exclusion: String? {
    guard job.isEnabled, pause == nil else { return nil }
    return job.schedule.next(after: now).flatMap { job.schedule.exclusions.reason(at: $0) }
  }

  /// Why there is no next tick.
  var stillness: String { job.isEnabled ? (pause == nil ? "never" : "paused") : "disabled" }

  /// What keeps the job from succeeding: a table that is missing, or failures in a row.
  var trouble: HealthProblem? {
    diagnosis?.problems.first {
      switch $0 {
      case .blocked, .failing: true
      default: false
      }
    }
  }

  func state(_ times: Times) -> String {
    if isUnentered { return "has no row in jobkit.job: its ticks are not decided" }
    if let held = record?.heldRun { return "run \(held) is held: 'worker show \(held)' says why" }
    // What is wrong now says more than how the newest run ended.
    if let said = trouble?.said(times.clock) {
      return pausing(times).map { "\($0); \(said)" } ?? said
    }
    if let exclusion { return "skips until then: \(exclusion)" }
    let last = run?.condition(at: now) ?? record?.lastState?.rawValue ?? ""
    guard let pausing = pausing(times) else { return last }
    return pausing + (run == nil ? "" : "; \(last)")
  }

  private func pausing(_ times: Times) -> String? {
    pause.map { pause in
      let end = pause.until.map { " until \(times.clock($0))" } ?? ""
      return "paused by \(pause.author)\(end): \(pause.reason)"
    }
  }

  var json: JSON {
    [
      "name": .string(job.name.text), "enabled": .boolean(job.isEnabled),
      "entered": .boolean(record != nil),
      "schedule": .string(job.schedule.description), "zone": .string(job.schedule.zone.name),
      "after": .array(job.after.jobs.map { .string($0.text) }),
      "next": JSON(next?.description), "last_run": JSON(record?.lastRun?.description),
      "excluded": JSON(exclusion), "last_state": JSON(record?.lastState?.rawValue),
      "held_run": record?.heldRun.map { .integer($0) } ?? nil, "paused_by": JSON(pause?.author),
      "pause_reason": JSON(pause?.reason), "paused_until": JSON(pause?.until?.description),
      "problems": .array(
        (diagnosis?.problems ?? []).map {
          ["problem": .string($0.word), "says": .string($0.said)]
        }),
      "open_run": run.map { .integer($0.id) } ?? nil, "waits_for": JSON(run?.wait(at: now)?.kind),
      "waits_until": JSON(run?.wait(at: now)?.end?.description),
    ]
  }
}
