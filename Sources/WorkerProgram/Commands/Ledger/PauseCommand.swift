internal import Config
internal import JobKit
internal import Ledger
internal import LocalTime
internal import Settings

extension Command {
  /// Pauses a job on every host.
  static let pause: Command = Command(
    name: "pause",
    summary: "pause jobs on every host, with the reason for all to see",
    discussion: """
      The ticks of a paused job are written down as skipped, with your name and the reason. What is
      a run already is not stopped, whether it goes on, is due or waits for its next try: 'worker cancel'
      does that. With --until the pause ends by itself; a time without an offset is one of the job's zone,
      or, where several jobs have several zones, of the zone of the settings. A job has one pause: another
      one takes its place, with its end and its reason, and the answer says whose it was. Several jobs may
      be named, or with --all all that the settings or the ledger know; each is paused by itself, and
      asking again does no harm.
      """,
    words: [.jobs],
    options: [.config, .everyJob, .reason, .until, .json],
    examples: [
      (
        "worker pause deliver_pushes --reason 'an incident' --until 2h",
        "for two hours at most"
      ),
      ("worker pause --all --reason 'an incident'", "every job, until somebody resumes it"),
    ],
    run: { arguments, console in
      let session = try LedgerSession.openLedger(arguments)
      let jobs = try session.jobs(arguments, of: .pause)
      guard let reason = arguments[.reason], !reason.isEmpty else {
        throw UsageError(.missingOption(.reason), command: .pause)
      }
      let names = Set(jobs)
      let times = try session.times(
        arguments, of: session.settings.jobs.filter { names.contains($0.name) })
      let until = try end(arguments, times)
      let pause = Pause(since: session.now, author: Host.author, reason: reason, until: until)
      try Ledger.enter(jobs, at: session.now, on: session.connection)
      try console.answer(each: jobs, arguments) { job in
        let replaced = try session.pause(of: job)
        _ = try Ledger.pause(job, pause, on: session.connection)
        return (
          words(of: pause, of: job, replacing: replaced, times),
          [
            "job": .string(job.text), "paused_by": .string(pause.author),
            "reason": .string(reason), "until": JSON(until?.description),
            "replaced": replaced.map(json(of:)) ?? .null,
          ]
        )
      }
      return .done
    })

  /// What a pause does, and whose it ends: nobody's is replaced in silence.
  private static func words(
    of pause: Pause, of job: JobName, replacing replaced: Pause?, _ times: Times
  ) -> String {
    let end = pause.until.map { " until \(times.alone($0))" } ?? ""
    let sentence = "\(job) is paused by \(pause.author)\(end): \(pause.reason)"
    guard let replaced else { return sentence }
    return sentence + "\nthis replaces the pause by \(replaced.account(times.alone))"
  }

  private static func json(of pause: Pause) -> JSON {
    [
      "paused_by": .string(pause.author), "since": .string(pause.since.description),
      "reason": .string(pause.reason), "until": JSON(pause.until?.description),
    ]
  }

  /// Lets a paused job go on.
  static let resume: Command = Command(
    name: "resume",
    summary: "let paused jobs go on",
    discussion: """
      From its next tick on the job runs again. Several may be named; with --all every job goes on that is
      paused, whoever paused it. The ticks of the pause are skipped, also those of which no
      daemon has written that down yet, because none was up.
      """,
    words: [.jobs],
    options: [.config, .everyJob, .json],
    examples: [("worker resume deliver_pushes", "whoever paused it")],
    run: { arguments, console in
      let session = try LedgerSession.openLedger(arguments)
      var jobs = try session.jobs(arguments, of: .resume)
      if arguments.has(.everyJob) { jobs = try jobs.filter { try session.pause(of: $0) != nil } }
      if jobs.isEmpty, !arguments.has(.json) { try console.print("no job is paused") }
      try console.answer(each: jobs, arguments) { job in
        let wasPaused = try Ledger.resume(job, at: session.now, on: session.connection)
        let daemon = try session.doer(of: job, at: session.now)
        return (
          wasPaused
            ? try words(resuming: job, daemon, arguments, session)
            : "\(job) was not paused",
          [
            "job": .string(job.text), "was_paused": .boolean(wasPaused),
            "daemon_alive": .boolean(daemon.mayBeThere),
          ]
        )
      }
      return .done
    })

  private static func words(
    resuming job: JobName, _ daemon: Doer, _ arguments: Arguments,
    _ session: borrowing LedgerSession
  ) throws -> String {
    let settings = session.settings.jobs.first { $0.name == job }
    if settings?.isEnabled == false { return "\(job) is resumed, but the settings disable it" }
    guard daemon.mayBeThere else {
      return "\(job) goes on as soon as a daemon runs; none with code for it is alive"
    }
    let times = try session.times(arguments, ofJob: job.text)
    let next = settings?.schedule.nextRun(after: session.now)
    return "\(job) goes on with its next tick" + (next.map { ", \(times.alone($0))" } ?? "")
      + daemon.doubt
  }

  private static func end(_ arguments: Arguments, _ times: Times) throws(UsageError) -> Instant? {
    let end = try arguments.instant(
      .until, in: times.zone, at: times.now, of: .pause, isToCome: true)
    if let end, end <= times.now {
      throw UsageError(
        .badValue(
          arguments[.until] ?? "", of: .until,
          expected: "that is over: write \(WrittenInstant.formsToCome)"),
        command: .pause)
    }
    return end
  }
}

extension Option {
  fileprivate static let reason = value("reason", "TEXT", "why, for all to see")
  fileprivate static let until = value(
    "until", "WHEN", "end the pause then: \(WrittenInstant.formsToCome)")
}
