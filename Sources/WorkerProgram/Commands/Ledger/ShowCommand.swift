internal import Config
internal import JobKit
internal import Ledger
internal import LocalTime

extension Command {
  /// Shows all that is known of one run.
  static let show: Command = Command(
    name: "show",
    summary: "show one run with its parts",
    discussion: """
      Everything that the ledger knows of one run: when it was decided and by whom, its parts with the
      daemon that works at each or did last (host, process), its lease, tries and cursor, what it counted,
      and what went wrong. 'took', the rate and the time left count the time that workers had a part in
      their hands, not what it waited for a worker, its next try or an approval.

      Of a job that runs a program it also shows the last 64 KiB that the program printed.
      """,
    words: [.run],
    options: [.config, .json] + Option.ofTimes,
    examples: [],
    run: { arguments, console in
      let session = try LedgerSession.openLedger(arguments)
      let number = try arguments.runNumber(of: .show)
      guard let run = try Ledger.run(number, on: session.connection) else {
        throw NoSuchRun(number: number)
      }
      let parts = try Ledger.parts(of: run.id, on: session.connection)
      let outputs = try Ledger.outputs(of: run.id, on: session.connection)
      if arguments.has(.json) {
        let members = [
          JSON.Member("run", run.json(at: session.now)),
          .init("work_seconds", seconds(of: run, by: session.now)),
          .init("parts", .array(parts.map { $0.json(at: session.now) })),
          .init("outputs", .array(outputs.map(\.json))),
        ]
        try console.print(JSON.object(members).pretty)
      } else {
        let times = try session.times(arguments, ofJob: run.job.text)
        let facts = facts(of: run, beside: parts, times)
        try console.print(facts.text(in: console.style(for: arguments)) + "\n")
        try console.show(PartTable.of(parts, at: session.now), arguments, of: .show)
        for output in outputs { try console.print("\n" + output.words) }
      }
      return .done
    })

  private static func seconds(of run: RunRecord, by now: Instant) -> JSON {
    run.workTime(by: now).map { .number($0 / .seconds(1)) } ?? nil
  }

  private static func facts(
    of run: RunRecord, beside parts: [PartRecord], _ times: Times
  ) -> Table {
    var facts = Table(
      Table.Column("run \(run.id)"), Table.Column("\(run.job), \(run.condition(at: times.now))"))
    facts.add("scheduled for (\(times.offset))", times.text(run.scheduledFor))
    facts.add("decided by", "\(run.decidedBy) (\(run.trigger))")
    if let key = run.requestKey { facts.add("key", key) }
    if !run.arguments.isEmpty { facts.add("arguments", run.argumentsText) }
    facts.add("started", times.text(run.startedAt))
    facts.add("finished", times.text(run.finishedAt))
    facts.add("took", run.workTime(by: times.now).map(RelativeTime.text) ?? "")
    facts.add("version", run.version ?? "")
    if run.percent < 100 { facts.add("canary", "for \(run.percent) % of the keys") }
    if let planned = run.planned { facts.add("planned", "to touch \(planned)") }
    if let approvedBy = run.approvedBy { facts.add("approved by", approvedBy) }
    if run.state == .held {
      facts.add(
        "held", "'worker approve \(run.id)' lets it go on, 'worker cancel \(run.id)' ends it")
    }
    // What a part tells below is not told twice.
    let isTold = parts.contains { $0.error.map(run.what.contains) ?? false }
    if !isTold { facts.add("what", run.what(times)) }
    return facts
  }
}

extension PartOutput {
  /// All of it for people, with its control characters spelt out.
  fileprivate var words: String {
    guard !text.isEmpty else { return "part \(part) printed nothing" }
    let lines = text.split(separator: "\n")
    return "part \(part) printed at the end:\n"
      + lines.map { "  " + String($0).withVisibleControls }.joined(separator: "\n")
  }

  fileprivate var json: JSON {
    ["part": .integer(part), "epoch": .integer(epoch), "text": .string(text)]
  }
}

/// There is no run of this number.
struct NoSuchRun: Error, CustomStringConvertible {
  let number: Int

  var description: String {
    "there is no run \(number): 'worker runs' lists the newest; old ones are deleted after a while"
  }
}

/// Parts as a table, which `show` and `ps` share.
enum PartTable {
  static func of(_ parts: [PartRecord], at now: Instant) -> Table {
    var table = Table(
      "run", "part", Table.Column("job", rank: 1), "state",
      Table.Column("daemon", rank: 4), "done", Table.Column("rate", rank: 5),
      Table.Column("left", rank: 2), Table.Column("heartbeat", rank: 3),
      "note")
    for part in parts {
      let pace = Pace(part, at: now)
      table.add(
        "\(part.run)", "\(part.number)", part.job.text, part.condition(at: now), part.daemon ?? "",
        pace.done,
        pace.rate, pace.left, part.leaseUntil.map { lease(until: $0, at: now) } ?? "",
        part.note)
    }
    return table
  }

  private static func lease(until end: Instant, at now: Instant) -> String {
    end >= now
      ? "lease for \(RelativeTime.text(end - now))"
      : "silent: lease over for \(RelativeTime.text(now - end))"
  }
}

/// How fast a part goes, and how long it will take.
struct Pace {
  let done: String
  let rate: String
  let left: String

  init(_ part: PartRecord, at now: Instant) {
    let (count, total) = (part.progress.done, part.progress.total)
    done = total.map { "\(count)/\($0)" } ?? (count > 0 ? "\(count)" : "")
    let seconds = part.workTime(by: now).map { $0 / .seconds(1) } ?? 0
    guard count > 0, seconds > 0 else {
      (rate, left) = ("", "")
      return
    }
    let perSecond = Double(count) / seconds
    rate = "\(Int(perSecond.rounded()))/s"
    left =
      total.flatMap { total in
        part.finishedAt == nil && total > count
          ? RelativeTime.text(.seconds(Double(total - count) / perSecond)) : nil
      } ?? ""
  }
}

extension PartRecord {
  /// What it does, in words for people.
  fileprivate func condition(at now: Instant) -> String {
    guard state == .due else { return state.rawValue }
    return notBefore > now
      ? "tries again \(Times.distance(from: now, to: notBefore))" : "waits for a worker"
  }

  fileprivate var note: String {
    [
      failures > 0 ? "failed \(Self.times(failures))" : nil,
      workerLosses > 0 ? "lost its worker \(Self.times(workerLosses))" : nil, error,
    ].compactMap(\.self).joined(separator: "; ")
  }

  private static func times(_ number: Int) -> String { number == 1 ? "once" : "\(number) times" }

  private func seconds(by now: Instant) -> JSON {
    workTime(by: now).map { .number($0 / .seconds(1)) } ?? nil
  }

  func json(at now: Instant) -> JSON {
    [
      "run": .integer(run), "part": .integer(number), "job": .string(job.text),
      "state": .string(state.rawValue),
      "epoch": .integer(epoch), "daemon": JSON(daemon), "host": JSON(origin?.host),
      "pid": origin.map { .integer($0.process) } ?? nil,
      "not_before": .string(notBefore.description),
      "lease_until": JSON(leaseUntil?.description), "attempts": .integer(attempts),
      "failures": .integer(failures), "worker_losses": .integer(workerLosses),
      "started_at": JSON(startedAt?.description),
      "finished_at": JSON(finishedAt?.description), "work_seconds": seconds(by: now),
      "cursor": JSON(progress.cursor),
      "done": .integer(progress.done), "total": progress.total.map { .integer($0) } ?? nil,
      "counters": progress.counters.json, "error": JSON(error),
    ]
  }
}

extension NoSuchRun: EndingError {
  var exitCode: ExitCode { .badData }
}
