internal import SampleWorld
internal import JobKit
internal import Ledger
internal import LocalTime
internal import Postgres
internal import Runner
internal import Settings

/// One call of `worker simulate`, from its database to its report.
struct SimulationCall {
  private let arguments: Arguments
  private let console: Console
  private let loaded: LoadedSettings
  private let jobs: SimulatedJobs
  private let start: Instant
  private let end: Instant
  private let stopping = Stopping()

  /// Reads the settings and the range; asks no database yet.
  static func open(_ arguments: Arguments, _ console: Console) throws -> SimulationCall {
    let loaded = try SettingsFile(arguments).load()
    let zone = try loaded.zones.zone(named: loaded.settings.time.zone)
    let now = SystemClock.now()
    let start =
      try arguments.instant(.simulateFrom, in: zone, at: now, of: .simulate)
      ?? zone.startOfDay(zone.localDay(of: now))
    let end =
      try arguments.instant(.simulateTo, in: zone, at: now, of: .simulate)
      ?? zone.instant(of: zone.local(at: start).advanced(by: 1))
    try arguments.check(end, of: .simulateTo, isAfter: start, command: .simulate)
    return SimulationCall(
      arguments: arguments, console: console, loaded: loaded,
      jobs: try ProgramJobs.simulated(loaded),
      start: start, end: end)
  }

  func run() throws -> ExitCode {
    stopping.listen(for: jobs.pool)
    let database = try scratch()
    let report = try report(from: database)
    try putAway(database)
    try report.print(arguments, on: console)
    return report.hasFailures ? .jobFailed : .done
  }

  private func report(from database: ScratchDatabase) throws -> SimulationReport {
    do {
      return try simulate(in: database)
    } catch {
      // Why it ended is what matters: that its database is gone already, or cannot be reached, is not.
      try? database.drop()
      throw stopping.isAsked ? Interrupted(isDropped: database.isOurs) : error
    }
  }

  private func scratch() throws -> ScratchDatabase {
    let settings = loaded.settings.database
    return try arguments[.scratch].map { try ScratchDatabase.adopt($0, like: settings) }
      ?? ScratchDatabase.make(beside: settings)
  }

  private func putAway(_ database: ScratchDatabase) throws {
    guard arguments.has(.keep) else { return try database.drop() }
    console.remark(
      "kept: look at it with WORKER_DATABASE_URL='\(database.settings.url)' worker runs")
  }
}

extension SimulationCall {
  private func simulate(in database: ScratchDatabase) throws -> SimulationReport {
    if !jobs.idle.isEmpty { console.remark(idleRemark) }
    // A tick at the very beginning counts, one at the very end does not.
    let instantBefore = Duration.microseconds(1)
    let server = try database.server
    let connection = try Connection(to: server)
    try ProgramSchemas.migrate(by: Host.author, at: start - instantBefore, on: connection)
    let world = try world(from: start - instantBefore, on: connection)
    var simulation = try Simulation.start(
      jobs.scheduled, pool: jobs.pool, at: start - instantBefore, in: world, on: server)
    defer { console.clearProgress() }
    var progress = SimulationProgress(from: start, to: end)
    try simulation.run(
      through: end - instantBefore, while: { !stopping.isAsked },
      watching: { moment in
        let line = console.drawsProgress ? progress.line(at: moment) : progress.landmark(at: moment)
        if let line { console.progress(line) }
      })
    guard !stopping.isAsked else { throw Interrupted(isDropped: database.isOurs) }
    if world is Timeline {
      try Timeline.tellEnd(of: start, to: end, in: zone, on: connection, console: console)
    }
    return SimulationReport(
      of: jobs, from: start, to: end, summaries: try Ledger.summaries(on: connection),
      world: try world.map { _ in
        try WorldSummary(from: start, to: end, zones: loaded.zones, on: connection)
      }, in: try zone)
  }

  /// The learners that are asked for, with their history; nobody when none are.
  private func world(
    from now: Instant, on connection: borrowing Connection
  ) throws -> (any SimulatedWorld)? {
    guard let learners = try arguments.learners(of: .simulate) else { return nil }
    let seconds = end.secondsSince1970 - now.secondsSince1970
    let world = try World(
      learners: learners, days: arguments.historyDays(of: .simulate),
      seed: arguments.seed(of: .simulate), now: now, daysToCome: seconds / 86_400 + 1,
      zones: loaded.zones)
    _ = try DemoFilling.run(world, on: connection, console)
    let live = try LiveWorld.open(on: connection)
    guard arguments.has(.timeline) else { return live }
    return Timeline(of: live, from: start, in: try zone, on: console)
  }

  /// By whose clocks the text tells times.
  private var zone: Zone {
    get throws { try loaded.times(arguments, of: loaded.settings.jobs, at: start).zone }
  }

  private var idleRemark: String {
    let names = jobs.idle.map(\.text).joined(separator: ", ")
    return "no code, or none that works in Postgres alone: simulated as doing nothing: \(names)"
  }
}

/// Somebody has ended a command before its time.
struct Interrupted: Error, CustomStringConvertible {
  let isDropped: Bool

  var description: String {
    "interrupted: what was simulated \(isDropped ? "is dropped" : "stays in the database")"
  }
}

extension Interrupted: EndingError {
  var exitCode: ExitCode { .interrupted }
}

extension LocalDateTime {
  /// The same time of a day that is so many days later.
  fileprivate func advanced(by days: Int) -> LocalDateTime {
    LocalDateTime(date: date.advanced(by: days), secondOfDay: secondOfDay)
  }
}
