internal import Config
internal import SampleWorld
internal import JobKit
internal import Ledger
internal import LocalTime

/// What a simulation came to, job by job.
struct SimulationReport {
  private let start: Instant
  private let end: Instant
  private let lines: [Line]

  /// How its text shows times.
  private let times: Times

  /// What was done for the learners, when there were any.
  private let world: WorldSummary?

  /// One job: what became of its ticks, and which of them a change of the clocks has moved.
  fileprivate struct Line {
    let job: ScheduledJob
    let isIdle: Bool
    let summary: JobSummary?
    let notes: [(instant: Instant, text: String)]

    subscript(states: RunState...) -> Int {
      states.map { summary?[$0] ?? 0 }.reduce(0, +)
    }
  }

  init(
    of jobs: SimulatedJobs, from start: Instant, to end: Instant, summaries: [JobSummary],
    world: WorldSummary?, in zone: Zone
  ) {
    (self.start, self.end, self.world) = (start, end, world)
    times = Times(zone: zone, now: start)
    lines = jobs.scheduled.map { job in
      Line(
        job: job, isIdle: jobs.idle.contains(job.name),
        summary: summaries.first { $0.job == job.name },
        notes: job.schedule.clockChanges(from: start, to: end))
    }
  }

  var hasFailures: Bool { lines.contains { $0[.failed] > 0 } }

  func print(_ arguments: Arguments, on console: Console) throws {
    guard !arguments.has(.json) else { return try console.print(json.pretty) }
    try console.print(table.text(in: console.style(for: arguments)))
    for line in lines {
      for note in line.notes {
        try console.print("\(line.job.name) \(times.alone(note.instant)): \(note.text)")
      }
    }
    if let world { try console.print("\n" + world.text(in: console.style(for: arguments))) }
  }
}

extension SimulationReport {
  private var table: Table {
    var table = Table(
      Table.Column("job"), Table.Column("ticks", rank: 1), "ran", "failed",
      Table.Column("skipped", rank: 3), Table.Column("missed", rank: 2),
      times.column("first", rank: 4), times.column("last", rank: 5), "what")
    for line in lines {
      table.add(
        line.job.name.text, "\(line.summary?.total ?? 0)",
        "\(line[.succeeded, .failed, .cancelled])", "\(line[.failed])", "\(line[.skipped])",
        "\(line[.missed])", line.summary?.first.map(times.dated) ?? "",
        line.summary?.last.map(times.dated) ?? "", line.what)
    }
    return table
  }

  private var json: JSON {
    let facts: [JSON.Member] = [
      .init("from", .string(start.description)), .init("to", .string(end.description)),
      .init("jobs", .array(lines.map(\.json))),
    ]
    let learners = LearningApp.whenOn([JSON.Member("learners", world?.json ?? .null)])
    return .object(facts + learners)
  }
}

extension SimulationReport.Line {
  /// What it counted, whether it did anything at all, and what was still open at the end.
  fileprivate var what: String {
    let counters = summary?.counters ?? Counters()
    let open = self[.due, .held, .running]
    let counted = counters.names.isEmpty ? [] : [counters.text]
    return ((isIdle ? ["did nothing"] : []) + counted + (open > 0 ? ["\(open) not over"] : []))
      .joined(separator: ", ")
  }

  fileprivate var json: JSON {
    [
      "name": .string(job.name.text), "did_nothing": .boolean(isIdle),
      "ticks": .object(
        (summary?.ticks ?? [:]).map { .init($0.key.rawValue, .integer($0.value)) }
          .sorted { $0.name < $1.name }
      ),
      "first": JSON(summary?.first?.description), "last": JSON(summary?.last?.description),
      "counters": (summary?.counters ?? Counters()).json,
      "clock_changes": .array(
        notes.map {
          ["scheduled_for": .string($0.instant.description), "note": .string($0.text)]
        }),
    ]
  }
}

extension Schedule {
  /// The ticks of a range that a change of the clocks decided, each with the reason.
  ///
  /// A rhythm keeps its pace through all of them, so there is nothing to tell.
  fileprivate func clockChanges(
    from start: Instant, to end: Instant
  ) -> [(instant: Instant, text: String)] {
    guard !isElapsed else { return [] }
    let before = Duration.microseconds(1)
    return ticks(after: start - before, through: end - before, limit: 1_000_000)
      .compactMap { tick in note(on: tick).map { (tick, $0) } }
  }
}
