internal import Config
internal import JobKit
internal import Ledger
internal import LocalTime
internal import Settings

extension Command {
  /// Shows what ran, and what did not.
  static let runs: Command = Command(
    name: "runs",
    summary: "show the newest runs, and the ticks that did not run with the reason",
    discussion: """
      Every tick that should have happened has a line, whatever became of it. States: waiting (a tick
      that waits for other jobs, or a run that the app asked for and that is not due yet), due, held,
      running; succeeded, failed, cancelled; skipped, missed, also of a line that stands for many ticks.
      '--state missed' shows those too, '--state collapsed' the lines of many ticks alone; JSON has the
      state "collapsed" for them, and what became of each tick as "fate". Of a run that is due or running
      and that no worker has, the line says what it waits for: its next try, a worker, the end of another
      run; with --json that is in "waits_for" and "waits_until". The run that was entered last stands
      first: also one that somebody runs now for a tick of last week. Ticks of a job in a row that were
      missed or skipped for one reason stand in one line; JSON has each. Behind the trigger of a run that
      a person or the app asked for are its arguments.

      Times are those of the job's zone, with its offset in the heading. Where the jobs have several zones
      they are those of the zone of the settings ('time.zone'); --utc shows UTC. JSON always has UTC.

      --since and --until go by the tick of a scheduled run, and by the start of any other.

      With --follow it looks every two seconds until Ctrl-C, which ends it with 0: a terminal shows the
      newest, a pipe each line that is new.
      """,
    words: [Word.job.optional],
    options: [.config] + Option.choosingRuns + [.follow, .json] + Option.ofTimes,
    examples: [
      (
        "worker runs",
        "the newest fifty"
      ),
      (
        "worker runs deliver_pushes --state failed --since 7d",
        "what failed of one job this week"
      ),
      (
        "worker runs --trigger manual --since yesterday --until today",
        "what people ran yesterday"
      ),
    ],
    run: { arguments, console in
      let isFollowed = try arguments.isWatched(by: .follow, of: .runs)
      let session = try LedgerSession.openLedger(arguments)
      let filter = try RunQuery.filter(arguments, session)
      if isFollowed {
        try console.watch {
          // A pipe reads on: what is new comes last there.
          let runs = try Ledger.runs(filter, on: session.connection)
          let read = console.redraws ? runs : runs.reversed()
          return try text(of: read, filter, arguments, session, console)
        }
        return .done
      }
      let runs = try Ledger.runs(filter, on: session.connection)
      if arguments.has(.json) {
        try console.print(JSON.array(runs.map { $0.json(at: session.now) }).pretty)
      } else {
        try console.print(try text(of: runs, filter, arguments, session, console))
      }
      return .done
    })

  /// The runs as people read them.
  private static func text(
    of runs: [RunRecord], _ filter: Ledger.RunFilter, _ arguments: Arguments,
    _ session: borrowing LedgerSession, _ console: Console
  ) throws -> String {
    guard !runs.isEmpty else { return filter.isOpen ? "there is no run yet" : "no such run" }
    let named = Set(runs.map(\.job))
    let times = try session.times(
      arguments, of: session.settings.jobs.filter { named.contains($0.name) })
    let table = table(
      of: runs, times, isFollowed: arguments.has(.follow),
      in: arguments[.columns] == nil ? console.style(for: arguments).width : nil)
    return try console.text(table, arguments, of: .runs)
  }

  /// The runs as a table, in which, when they are followed, nothing changes but what happens to them.
  ///
  /// In little room a time stands without how far it is away.
  static func table(
    of runs: [RunRecord], _ times: Times, isFollowed: Bool = false, in width: Int? = nil
  ) -> Table {
    let isNarrow = width.map { $0 < 76 } ?? false
    var table = Table(
      Table.Column("run", rank: 2, isKeptLonger: true), "job",
      times.column("scheduled for", rank: 1, isKeptLonger: true),
      Table.Column("trigger", rank: 5), Table.Column("by", rank: 6), "state",
      Table.Column("took", rank: 3), Table.Column("done", rank: 4), "what")
    for row in isFollowed ? runs.map({ [$0][...] }) : runs.inRows {
      guard let run = row.first else { continue }
      let scheduled =
        isFollowed || isNarrow
        ? times.clock(run.scheduledFor) : times.text(run.scheduledFor)
      let took = isFollowed && run.finishedAt == nil ? nil : run.workTime(by: times.now)
      table.add(
        "\(run.id)", run.job.text, scheduled, run.cause, run.decidedBy,
        run.condition(at: times.now, isFollowed: isFollowed), took.map(RelativeTime.text) ?? "",
        run.done > 0 ? "\(run.done)" : "", row.what(times))
    }
    return table
  }
}

extension Option {
  fileprivate static let follow = flag("follow", "look again and again, until Ctrl-C")
}

extension [RunRecord] {
  /// These, with neighbours in one row that are ticks of a job in a row which did not run for one reason.
  fileprivate var inRows: [ArraySlice<RunRecord>] {
    var rows: [ArraySlice<RunRecord>] = []
    for index in indices {
      if let row = rows.last, let run = row.last, run.isLike(self[index]) {
        rows[rows.count - 1] = self[row.startIndex...index]
      } else {
        rows.append(self[index...index])
      }
    }
    return rows
  }
}

extension ArraySlice<RunRecord> {
  /// Why the run, or the ticks of a row, the newest first, did not run, or what came of it.
  fileprivate func what(_ times: Times) -> String {
    guard count > 1, let oldest = last else { return first?.what(times) ?? "" }
    return
      "\(count.counted("tick")) since \(times.clock(oldest.scheduledFor)): \(oldest.reason ?? "")"
  }
}

extension RunRecord {
  /// Whether both are ticks that did not run for one reason, and `other` is the tick right before this one, whatever a
  /// filter leaves out.
  fileprivate func isLike(_ other: RunRecord) -> Bool {
    [.missed, .skipped].contains(state) && trigger == .schedule && tickBefore == other.id
      && (job, state, reason, trigger) == (other.job, other.state, other.reason, other.trigger)
  }

  /// What entered it (the schedule, a person or a backfill), and its arguments.
  var cause: String {
    arguments.isEmpty ? trigger.rawValue : "\(trigger.rawValue), \(argumentsText)"
  }

  /// Its arguments as they are written.
  var argumentsText: String {
    arguments.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
  }

  /// Why it did not run, what went wrong, or what it counted.
  func what(_ times: Times) -> String {
    if state == .collapsed, let firstTick {
      return "\(ticks.counted("tick")) since \(times.clock(firstTick)): \(reason ?? "")"
    }
    return what
  }

  /// The same without the time at which it begins.
  var what: String {
    if let reason { return reason }
    if let error, state != .succeeded { return error }
    return counters.text
  }

  func json(at now: Instant) -> JSON {
    guard case .object(let members) = facts else { return facts }
    return .object(members + waitJSON(at: now))
  }

  private var facts: JSON {
    [
      "id": .integer(id), "job": .string(job.text),
      "scheduled_for": .string(scheduledFor.description), "trigger": .string(trigger.rawValue),
      "state": .string(state.rawValue), "fate": JSON(fate?.rawValue), "reason": JSON(reason),
      "ticks": .integer(ticks), "first_tick": JSON(firstTick?.description),
      "started_at": JSON(startedAt?.description), "finished_at": JSON(finishedAt?.description),
      "parts": .integer(parts), "parts_left": .integer(partsLeft), "done": .integer(done),
      "total": total.map { .integer($0) } ?? nil,
      "counters": counters.json, "error": JSON(error), "version": JSON(version),
      "decided_by": .string(decidedBy), "request_key": JSON(requestKey),
      "percent": .integer(percent),
      "planned": planned.map { .integer($0) } ?? nil, "approved_by": JSON(approvedBy),
      "arguments": .object(
        arguments.sorted { $0.key < $1.key }.map { JSON.Member($0.key, .string($0.value)) }),
    ]
  }
}

extension Counters {
  var json: JSON {
    .object(zip(names, values).map { JSON.Member($0, .integer($1)) })
  }
}
