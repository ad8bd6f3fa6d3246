internal import Config
internal import JobKit
internal import LocalTime

extension Command {
  /// Shows what is scheduled.
  static let jobs: Command = Command(
    name: "jobs",
    summary: "show the jobs: when each runs next, how it went last, and who paused it",
    discussion: """
      One line for each job of the settings, with its next firing and the newest run that ran.

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
      let opened = try Opened.openLedger(arguments)
      let known = try Ledger.jobs(on: opened.connection)
      let isDecided = try Ledger.daemons(on: opened.connection).contains {
        $0.isAlive(at: opened.now) && $0.readyAt != nil
      }
      let lines = opened.settings.jobs.map { job in
        JobLine(
          job: job, record: known.first { $0.name == job.name.text }, isDecided: isDecided,
          now: opened.now)
      }
      if arguments.has(.json) {
        try console.print(JSON.array(lines.map(\.json)).pretty)
      } else {
        let times = try opened.times(arguments, of: opened.settings.jobs)
        try console.show(table(of: lines, times), arguments, of: .jobs)
        try remarkOnOthers(opened, console)
      }
      return .done
    })

  static func table(of lines: [JobLine], _ times: Times) -> Table {
    var table = Table(
      "job", Table.Column("schedule", rank: 2), Table.Column("zone", rank: 4),
      times.column("next"), times.column("last run", rank: 3), "state")
    for line in lines {
      table.add(
        line.job.name.text, line.job.schedule.description, line.job.schedule.zone.name,
        line.next.map(times.text) ?? line.stillness, times.text(line.record?.lastRun),
        line.state(times))
    }
    return table
  }

  /// Says which daemons go by other settings: what they run is not what this table shows.
  private static func remarkOnOthers(_ opened: borrowing Opened, _ console: Console) throws {
    let (now, own) = (opened.now, opened.settings.hash)
    let others = try Ledger.daemons(on: opened.connection).filter {
      !$0.isByHand && $0.isAlive(at: now) && $0.settingsHash != own
    }
    guard let first = others.first else { return }
    let rest = others.count == 1 ? "" : " and \(others.count - 1) more"
    console.remark(
      "daemon \(first.name)\(rest) runs with other settings (\(first.settingsHash)) than this file"
        + " (\(own)): this shows the jobs of the file, 'worker workers' the settings of each daemon"
    )
  }
}

/// One job between the settings and the ledger.
struct JobLine {
  let job: JobSettings
  let record: JobRecord?

  /// Whether a daemon decides the jobs that have a row.
  let isDecided: Bool
  let now: Instant

  /// Whether a daemon is alive, and decides no tick of this job.
  var isUnentered: Bool { job.isEnabled && isDecided && record == nil }

  var pause: Pause? { record?.pause.flatMap { $0.covers(now) ? $0 : nil } }

  var next: Instant? {
    guard job.isEnabled, pause == nil else { return nil }
    return job.schedule.nextRun(after: now)
  }

  /// Why the next firing is not run, when a calendar keeps it from that.
  var exclusion: String? {
    guard job.isEnabled, pause == nil else { return nil }
    return job.schedule.next(after: now).flatMap { job.schedule.exclusions.reason(at: $0) }
  }

  /// Why there is no next firing.
  var stillness: String { job.isEnabled ? (pause == nil ? "never" : "paused") : "disabled" }

  func state(_ times: Times) -> String {
    if isUnentered { return "has no row in jobkit.job: its ticks are not decided" }
    if let held = record?.heldRun { return "run \(held) is held: 'worker show \(held)' says why" }
    if let exclusion { return "skips until then: \(exclusion)" }
    guard let pause else { return record?.lastState ?? "" }
    let end = pause.until.map { " until \(times.clock($0))" } ?? ""
    return "paused by \(pause.author)\(end): \(pause.reason)"
  }

  var json: JSON {
    [
      "name": .string(job.name.text), "enabled": .boolean(job.isEnabled),
      "entered": .boolean(record != nil),
      "schedule": .string(job.schedule.description), "zone": .string(job.schedule.zone.name),
      "next": JSON(next?.description), "last_run": JSON(record?.lastRun?.description),
      "excluded": JSON(exclusion), "last_state": JSON(record?.lastState),
      "held_run": record?.heldRun.map { .integer($0) } ?? nil, "paused_by": JSON(pause?.author),
      "pause_reason": JSON(pause?.reason), "paused_until": JSON(pause?.until?.description),
    ]
  }
}
