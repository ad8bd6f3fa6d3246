internal import JobKit
internal import LocalTime

extension Command {
  /// Shows what ran, and what did not.
  static let runs: Command = Command(
    name: "runs",
    summary: "show the newest runs, and the ticks that did not run with the reason",
    discussion: """
      Every tick that should have happened has a line, whatever became of it. States: due, held,
      running; succeeded, failed, cancelled; skipped, missed, collapsed (many ticks in one line).
      '--state missed' also shows the lines in which many missed ticks are collapsed.
      """,
    words: [Word.job.optional],
    options: [.config, .state, .since, .limit, .json],
    examples: [
      (
        "worker runs",
        "the newest fifty"
      ),
      (
        "worker runs deliver_pushes --state failed --since 7d",
        "what failed of one job this week"
      ),
    ],
    run: { arguments, console in
      let opened = try Opened.openLedger(arguments)
      var filter = Ledger.RunFilter()
      filter.job = try arguments[.job].map { try opened.job(named: $0, of: .runs).name }
      filter.state = try arguments[.state].map(RunQuery.state)
      filter.since = try RunQuery.since(arguments, opened)
      filter.limit = try arguments[.limit].map(RunQuery.limit) ?? 50
      let runs = try Ledger.runs(filter, on: opened.connection)
      if arguments.has(.json) {
        try console.print(JSON.array(runs.map(\.json)).pretty)
      } else {
        let isChosen = [.state, .since].contains { arguments[$0] != nil } || arguments[.job] != nil
        try console.print(
          !runs.isEmpty
            ? table(of: runs, at: opened.now, in: console)
            : isChosen ? "no such run" : "there is no run yet")
      }
      return .done
    })

  private static func table(of runs: [RunRecord], at now: Instant, in console: Console) -> String {
    var table = Table("run", "job", "scheduled for", "state", "took", "done", "what")
    for run in runs {
      table.add(
        "\(run.id)", run.job, Moment.text(run.scheduledFor, at: now), run.state,
        run.workTime(by: now).map(Moment.text) ?? "", run.done > 0 ? "\(run.done)" : "", run.what)
    }
    return table.text(in: console.style)
  }
}

extension Option {
  fileprivate static let state = value(
    "state", "STATE", "only runs in this state",
    choices: [
      "due", "held", "running", "succeeded", "failed", "cancelled", "skipped", "missed",
      "collapsed",
    ])
  fileprivate static let since = value(
    "since", "WHEN",
    "only runs scheduled since: an instant, a local date, or a while ago such as 2h or 7d")
  fileprivate static let limit = value("limit", "N", "at most N lines; else 50")
}

/// The values of the options that choose runs.
enum RunQuery {
  static func since(_ arguments: Arguments, _ opened: borrowing Opened) throws -> Instant? {
    guard let text = arguments[.since] else { return nil }
    if let ago = Duration(written: text) { return opened.now - ago }
    let zone = try opened.loaded.zones.zone(named: opened.settings.time.zone)
    if let instant = try? arguments.instant(.since, in: zone, of: .runs) { return instant }
    throw UsageError(
      .badValue(
        text, of: .since, expected: "write an instant, a date, or a while such as 2h"),
      command: .runs)
  }

  static func state(_ text: String) throws(UsageError) -> String {
    guard Option.state.choices.contains(text) else {
      let states = Option.state.choices.joined(separator: ", ")
      throw UsageError(
        .badValue(text, of: .state, expected: "write one of \(states)"), command: .runs)
    }
    return text
  }

  static func limit(_ text: String) throws(UsageError) -> Int {
    guard let limit = Int(text), (1...10_000).contains(limit) else {
      throw UsageError(
        .badValue(text, of: .limit, expected: "write a whole number from 1 to 10000"),
        command: .runs)
    }
    return limit
  }
}

extension RunRecord {
  /// Why it did not run, what went wrong, or what it counted.
  var what: String {
    if state == "collapsed", let firstTick {
      return "\(ticks.counted("tick")) since \(firstTick): \(reason ?? "")"
    }
    if let reason { return reason }
    if let error, state != "succeeded" { return error }
    return counters.text
  }

  var json: JSON {
    [
      "id": .integer(id), "job": .string(job), "scheduled_for": .string(scheduledFor.description),
      "trigger": .string(trigger), "state": .string(state), "reason": JSON(reason),
      "ticks": .integer(ticks), "first_tick": JSON(firstTick?.description),
      "started_at": JSON(startedAt?.description), "finished_at": JSON(finishedAt?.description),
      "parts": .integer(parts), "parts_left": .integer(partsLeft), "done": .integer(done),
      "total": total.map { .integer($0) } ?? nil,
      "counters": counters.json, "error": JSON(error), "version": JSON(version),
      "decided_by": .string(decidedBy), "percent": .integer(percent),
      "planned": planned.map { .integer($0) } ?? nil, "approved_by": JSON(approvedBy),
    ]
  }
}

extension Counters {
  var json: JSON {
    .object(zip(names, values).map { JSON.Member($0, .integer($1)) })
  }
}
