internal import JobKit
internal import LocalTime

extension Command {
  /// Pauses a job on every host.
  static let pause: Command = Command(
    name: "pause",
    summary: "pause a job on every host, with the reason for all to see",
    discussion: """
      The ticks of a paused job are written down as skipped, with your name and the reason. What is
      a run already is not stopped, whether it goes on, is due or waits for its next try: 'worker cancel'
      does that. With --until the pause ends by itself. A job has one pause: another one takes its place,
      with its end and its reason, and the answer says whose it was.
      """,
    words: [.job],
    options: [.config, .reason, .until, .json],
    examples: [
      (
        "worker pause deliver_pushes --reason 'an incident' --until 2h",
        "for two hours at most"
      )
    ],
    run: { arguments, console in
      let opened = try Opened.openLedger(arguments)
      let job = try opened.job(named: arguments[.job] ?? "", of: .pause)
      guard let reason = arguments[.reason], !reason.isEmpty else {
        throw UsageError(.missingOption(.reason), command: .pause)
      }
      let until = try arguments[.until].map { try end($0, after: opened.now) }
      let pause = Pause(since: opened.now, author: Host.author, reason: reason, until: until)
      let replaced = try opened.pause(of: job.name)
      try Ledger.enter([job.name], at: opened.now, on: opened.connection)
      _ = try Ledger.pause(job.name, pause, on: opened.connection)
      try console.answer(
        words(of: pause, of: job.name, replacing: replaced),
        [
          "job": .string(job.name.text), "paused_by": .string(pause.author),
          "reason": .string(reason), "until": JSON(until?.description),
          "replaced": replaced.map(json(of:)) ?? .null,
        ], to: arguments)
      return .done
    })

  /// What a pause does, and whose it ends: nobody's is replaced in silence.
  private static func words(
    of pause: Pause, of job: JobName, replacing replaced: Pause?
  ) -> String {
    let end = pause.until.map { " until \($0)" } ?? ""
    let sentence = "\(job) is paused\(end): \(pause.reason)"
    guard let replaced else { return sentence }
    return sentence + "\nthis replaces the pause by \(replaced.account)"
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
    summary: "let a paused job go on",
    discussion: """
      From its next tick on the job runs again. The ticks of the pause are skipped, also those of which no
      daemon has written that down yet, because none was up.
      """,
    words: [.job],
    options: [.config, .json],
    examples: [("worker resume deliver_pushes", "whoever paused it")],
    run: { arguments, console in
      let opened = try Opened.openLedger(arguments)
      let job = try opened.job(named: arguments[.job] ?? "", of: .resume)
      let wasPaused = try Ledger.resume(job.name, at: opened.now, on: opened.connection)
      try console.answer(
        wasPaused ? "\(job.name) goes on" : "\(job.name) was not paused",
        ["job": .string(job.name.text), "was_paused": .boolean(wasPaused)], to: arguments)
      return .done
    })

  private static func end(_ text: String, after now: Instant) throws(UsageError) -> Instant {
    let end = Duration(written: text).map { now + $0 } ?? (try? Instant(text))
    guard let end, end > now else {
      throw UsageError(
        .badValue(text, of: .until, expected: "write an instant to come, or a while such as 2h"),
        command: .pause)
    }
    return end
  }
}

extension Option {
  fileprivate static let reason = value("reason", "TEXT", "why, for all to see")
  fileprivate static let until = value(
    "until", "WHEN", "end the pause at an instant, or after a while such as 2h")
}
