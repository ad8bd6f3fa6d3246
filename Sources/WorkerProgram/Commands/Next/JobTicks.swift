internal import Config
internal import JobKit
internal import LocalTime
internal import Settings

/// The ticks of the jobs of the settings, all in the order of time.
struct JobTicks {
  /// One moment at which one job is due.
  struct JobTick {
    let job: JobSettings
    let purpose: String
    let instant: Instant

    var local: String { instant.text(in: job.schedule.zone) }
    var note: String? {
      if let reason = job.schedule.exclusions.reason(at: instant) { return "skipped: \(reason)" }
      let notes = [job.schedule.note(on: instant), job.after.note].compactMap(\.self)
      return notes.isEmpty ? nil : notes.joined(separator: "; ")
    }
  }

  let shown: [JobTick]

  /// The first that one call may not print as well.
  let next: JobTick?

  /// Whether a table shows a job that fires very often once, so that it does not hide the others.
  let foldsOften: Bool

  /// How a table shows their times.
  let times: Times

  /// The ticks of `jobs`, but for those that are disabled.
  init(
    of jobs: [JobSettings], in catalogue: Catalogue, _ range: TickRange,
    foldingOften foldsOften: Bool = false, shownIn zone: Zone
  ) {
    self.foldsOften = foldsOften
    let ticks = jobs.filter(\.isEnabled).flatMap { job in
      job.schedule.ticks(
        after: range.start - .microseconds(1), through: range.last, limit: range.count + 1
      ).map { instant in
        JobTick(
          job: job, purpose: catalogue[job.name]?.purpose ?? "", instant: instant)
      }
    }
    let sorted = ticks.enumerated().sorted { one, other in
      (one.element.instant, one.offset) < (other.element.instant, other.offset)
    }.map(\.element)
    shown = Array(sorted.prefix(range.count))
    next = range.isCut ? sorted.dropFirst(range.count).first : nil
    times = Times(zone: zone, now: shown.first?.instant ?? range.start)
  }
}

extension JobTicks {
  /// The ticks that a call asks for, of one job or of all.
  static func of(_ arguments: Arguments, now: Instant) throws -> JobTicks {
    let loaded = try SettingsFile(arguments).load()
    let zone = try loaded.zones.zone(named: loaded.settings.time.zone)
    guard let name = arguments[.job] else {
      let range = try TickRange(arguments, in: zone, now: now, else: .days(1))
      let jobs = loaded.settings.jobs
      return JobTicks(
        of: jobs, in: ProgramJobs.catalogue(of: loaded), range,
        foldingOften: arguments[.count] == nil,
        shownIn: try loaded.times(arguments, of: jobs, at: now).zone)
    }
    let job = try loaded.settings.job(named: name, of: .next)
    let range = try TickRange(arguments, in: job.schedule.zone, now: now, else: .days(7))
    return JobTicks(
      of: [job], in: ProgramJobs.catalogue(of: loaded), range,
      shownIn: try loaded.times(arguments, of: [job], at: now).zone)
  }

  var json: JSON {
    .array(
      shown.map { tick in
        [
          "job": .string(tick.job.name.text),
          "scheduled_for": .string(tick.instant.description), "local": .string(tick.local),
          "note": JSON(tick.note),
        ]
      })
  }

  var table: Table {
    let counts = foldsOften ? Dictionary(shown.map { ($0.job.name, 1) }, uniquingKeysWith: +) : [:]
    var folded: Set<JobName> = []
    var table = Table(
      times.column("scheduled for"), Table.Column("day", rank: 1), "job", "note")
    for tick in shown {
      let (name, count) = (tick.job.name, counts[tick.job.name] ?? 1)
      guard count <= Self.often || folded.insert(name).inserted else { continue }
      let rest = count > Self.often ? "the first of \(count): 'worker next \(name)' shows all" : nil
      table.add(
        times.dated(tick.instant), "\(times.zone.localDay(of: tick.instant).weekday)",
        name.text,
        [tick.note, rest].compactMap(\.self).joined(separator: "; "))
    }
    return table
  }

  /// More lines than these of one job hide the others.
  private static let often = 4

  /// The ticks as a file that calendars read.
  func calendar(at now: Instant) -> ICalendar {
    ICalendar(
      events: shown.map { tick in
        let local = "\(tick.local) in \(tick.job.schedule.zone.name)"
        return ICalendar.Event(
          id: "\(tick.job.name)-\(ICalendar.text(of: tick.instant))@worker",
          start: tick.instant, summary: tick.job.name.text,
          description: [tick.purpose, local, tick.note].compactMap(\.self)
            .joined(separator: "\n"))
      }, writtenAt: now)
  }
}
