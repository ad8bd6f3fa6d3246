internal import Config
internal import JobKit
internal import LocalTime
internal import Settings

extension Command {
  /// Shows when jobs, or a schedule on the command line, fire.
  static let next: Command = Command(
    name: "next",
    summary: "show when jobs fire, or a schedule that is tried out, and why then",
    discussion: """
      Prints the ticks of one job of the settings, or of all, with a note where a change of the clocks
      decided something. Times are those of the job's zone, with the offset of the first in the heading, and
      behind each that has another; where jobs have several zones, of the zone of the settings. --utc shows
      UTC; JSON has both. A disabled job has none; 'worker jobs' says which jobs are paused. Among those of
      all jobs, one that fires more than 4 times has one line, unless --count is written. With --ics they
      are a file that calendars read: the same tick has the same name in each such file.

      With --schedule they are those of any schedule, and no settings are read. A schedule is
      'every' and a while, such as 'every 15m', as 'every' in the settings, or a cron expression of five
      fields, minute hour day month weekday, or of six with leading seconds. When its
      hours are all 24 it follows real time through every change of the clock; otherwise each local date
      and time that it names fires exactly once: at the first of two, or, where the clock jumps over it,
      at the first moment after the jump.

      The ticks are those at or after --from and before --to.
      """,
    words: [Word.job.optional],
    options: [
      .config, .days, .schedule, .zone, .dst, .from, .to, .count, .calendar, .json,
    ] + Option.ofTimes,
    examples: [
      ("worker next", "what fires in the next 24 hours"),
      ("worker next refresh_leaderboard --days 30 --ics", "a month of one job, for a calendar"),
      (
        "worker next --schedule '0 9 * * MON-FRI' --zone Europe/Zurich", "the next ten working days"
      ),
      (
        "worker next --schedule '30 2 * * *' --zone America/New_York --from 2026-03-07 --count 3",
        "through the night in which the clocks jump over 02:30"
      ),
      (
        "worker next --schedule '*/15 * * * *' --from 2026-11-01 --to 2026-11-02 --json",
        "all of one day, for machines"
      ),
    ],
    run: { arguments, console in
      let isTried = [.schedule, .zone, .dst].contains { arguments[$0] != nil }
      try isTried ? tryOut(arguments, console) : show(arguments, console)
      return .done
    })

  /// The ticks of jobs of the settings.
  private static func show(_ arguments: Arguments, _ console: Console) throws {
    guard !(arguments.has(.json) && arguments.has(.calendar)) else {
      throw UsageError(
        .badWord("--ics", expected: "write --json or --ics, not both"), command: .next)
    }
    let now = SystemClock.now()
    let ticks = try JobTicks.of(arguments, now: now)
    if arguments.has(.json) {
      try console.print(ticks.json.pretty)
    } else if arguments.has(.calendar) {
      // The standard knows no calendar without an event.
      if ticks.shown.isEmpty { return console.remark("none of them fires then: no calendar") }
      try console.write(ticks.calendar(at: now).text)
    } else {
      guard !ticks.shown.isEmpty else { return try console.print("none of them fires then") }
      try console.show(ticks.table, arguments, of: .next)
    }
    tellOfMore(ticks.shown.count, ticks.next?.instant, console)
  }

  /// The ticks of a schedule on the command line.
  private static func tryOut(_ arguments: Arguments, _ console: Console) throws {
    if let job = arguments[.job] { throw try refusal(of: job, arguments) }
    guard !arguments.has(.calendar) else {
      throw UsageError(
        .badWord("--ics", expected: "a calendar shows jobs: leave --schedule out"), command: .next)
    }
    let request = try TickRequest(arguments, now: SystemClock.now())
    let (ticks, next) = request.ticks
    if arguments.has(.json) {
      try console.print(JSON.array(ticks.map { json(of: $0, of: request.schedule) }).pretty)
    } else {
      if ticks.isEmpty {
        try console.print("no tick in that time")
      } else {
        let times = Times(
          zone: arguments.has(.utc) ? .utc : request.schedule.zone, now: ticks[0])
        try console.show(
          table(of: ticks, of: request.schedule, times), arguments, of: .next)
      }
      for remark in request.remarks { console.remark(remark) }
    }
    tellOfMore(ticks.count, next, console)
  }

  /// Why a job goes with no schedule, zone or treatment of the clocks, and how to try out its own.
  private static func refusal(of name: String, _ arguments: Arguments) throws -> UsageError {
    guard arguments[.schedule] == nil else {
      return UsageError(
        .badWord(name, expected: "write a job or --schedule, not both"), command: .next)
    }
    let job = try SettingsFile(arguments).load().settings.job(named: name, of: .next)
    let option = arguments[.zone] == nil ? Option.dst : .zone
    let command =
      "worker next --schedule '\(job.schedule)' --\(option.name) \(arguments[option] ?? "")"
    return UsageError(
      .badWord(
        name,
        expected: "a job fires as its settings say, by the clocks of \(job.schedule.zone.name): to"
          + " try out its schedule, write \(command)"), command: .next)
  }

  private static func tellOfMore(_ shown: Int, _ next: Instant?, _ console: Console) {
    guard let next else { return }
    console.remark("the first \(shown) are shown: go on with --from \(next)")
  }

  private static func table(
    of ticks: [Instant], of schedule: Schedule, _ times: Times
  ) -> Table {
    var table = Table(times.column("scheduled for"), Table.Column("day", rank: 1), "note")
    for tick in ticks {
      table.add(
        times.dated(tick), "\(times.zone.localDay(of: tick).weekday)",
        schedule.note(on: tick) ?? "")
    }
    return table
  }

  private static func json(of tick: Instant, of schedule: Schedule) -> JSON {
    [
      "scheduled_for": .string(tick.description),
      "local": .string(tick.text(in: schedule.zone)),
      "note": JSON(schedule.note(on: tick)),
    ]
  }
}

extension Option {
  fileprivate static let calendar = flag("ics", "print a calendar, in the format of RFC 5545")
}
