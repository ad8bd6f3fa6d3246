internal import JobKit
internal import LocalTime
internal import Postgres

extension Command {
  /// Says what was decided of a tick, or why a job does not run.
  static let why: Command = Command(
    name: "why",
    summary: "say why a job runs when it does, or what became of one of its ticks",
    discussion: """
      Without --at it tells when the job runs next, and what keeps it from running now. With --at it tells
      what was decided of the newest tick at or before that instant, by whom and when.
      """,
    words: [.job],
    options: [.config, .at],
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
      let opened = try Opened.open(arguments)
      try opened.checkSchema()
      let job = try opened.job(named: arguments[.job] ?? "", of: .why)
      let lines =
        if let text = arguments[.at] {
          try Explanation.past(of: job, at: Explanation.moment(text), opened)
        } else {
          try Explanation.present(of: job, opened)
        }
      for line in lines { try console.print(line) }
      return .done
    })
}

extension Option {
  fileprivate static let at = value("at", "INSTANT", "ask about a tick of the past")
}

/// What there is to say about a job's ticks, a sentence each.
private enum Explanation {
  static func moment(_ text: String) throws(UsageError) -> Instant {
    do throws(TimeTextError) {
      return try Instant(text)
    } catch {
      throw UsageError(.badValue(text, of: .at, expected: "\(error)"), command: .why)
    }
  }

  static func present(of job: JobSettings, _ opened: borrowing Opened) throws -> [String] {
    let now = opened.now
    let record = try Ledger.jobs(on: opened.connection).first { $0.name == job.name.text }
    var lines = ["\(job.name) is due at '\(job.schedule)' in \(job.schedule.zone.name)"]
    if let next = job.schedule.next(after: now) {
      let local = next.text(in: job.schedule.zone)
      lines.append("its next tick is \(Moment.text(next, at: now)), locally \(local)")
      if let note = job.schedule.note(on: next) { lines.append(note) }
      if let reason = job.schedule.exclusions.reason(at: next) {
        let run = job.schedule.nextRun(after: next).map { Moment.text($0, at: now) } ?? "never"
        lines.append("that tick is skipped, because \(reason); it runs next: \(run)")
      }
    }
    if !job.isEnabled { lines.append("it is disabled in the settings: its ticks are skipped") }
    if let pause = record?.pause, pause.covers(now) {
      let end = pause.until.map { " until \($0)" } ?? ", until somebody resumes it"
      lines.append("it is paused by \(pause.author) since \(pause.since)\(end): \(pause.reason)")
    }
    if let open = try Ledger.openRun(of: job.name, on: opened.connection) {
      lines.append("run \(open.id) of \(open.scheduledFor) is \(open.state)")
      if open.state == "held" {
        lines.append("it \(open.what): 'worker approve \(open.id)' lets it go on")
      }
    }
    if record == nil { lines.append("no daemon with code for it has ever scheduled it here") }
    return lines
  }

  static func past(
    of job: JobSettings, at moment: Instant, _ opened: borrowing Opened
  ) throws -> [String] {
    guard let run = try Ledger.run(of: job.name, atOrBefore: moment, on: opened.connection) else {
      return ["the ledger has no tick of \(job.name) at or before \(moment)"]
    }
    var lines = ["the tick of \(Moment.text(run.scheduledFor, at: opened.now)) is run \(run.id)"]
    lines.append("it was decided by \(run.decidedBy) and is \(run.state)")
    if !run.what.isEmpty { lines.append(run.what) }
    if let started = run.startedAt {
      lines.append("it started \(Moment.text(started - run.scheduledFor)) after its moment")
    }
    return lines
  }
}
