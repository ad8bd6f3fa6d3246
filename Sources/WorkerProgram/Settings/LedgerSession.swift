internal import JobKit
internal import Ledger
internal import LocalTime
internal import Postgres
internal import Settings

/// What a command that asks the ledger works with: the settings, and a connection to the database.
struct LedgerSession: ~Copyable {
  let loaded: LoadedSettings
  let server: Server
  let connection: Connection

  /// The moment at which the command was given, by the clock of the database.
  let now: Instant

  var settings: Settings { loaded.settings }

  /// The zone of the settings, which is that of every job that names none.
  var zone: Zone {
    get throws(ZoneError) { try loaded.zones.zone(named: settings.time.zone) }
  }

  /// Reads the settings and connects.
  static func open(_ arguments: Arguments) throws -> LedgerSession {
    let loaded = try SettingsFile(arguments).load()
    let server = try loaded.settings.database.server(
      credentials: Environment["CREDENTIALS_DIRECTORY"])
    let connection = try Connection(to: server)
    let now = try LedgerClock.database.now(on: connection)
    return LedgerSession(loaded: loaded, server: server, connection: connection, now: now)
  }

  /// Reads the settings, connects, and finds the ledger there, of this version.
  static func openLedger(_ arguments: Arguments) throws -> LedgerSession {
    let session = try open(arguments)
    try ProgramSchemas.requireNewest(on: session.connection)
    return session
  }
}

extension LedgerSession {
  /// The pause that holds a job now.
  func pause(of job: JobName) throws -> Pause? {
    let pause = try Ledger.jobs(on: connection).first { $0.name == job }?.pause
    return pause.flatMap { $0.covers(now) ? $0 : nil }
  }

  /// Finds a job in any spelling.
  func job(named text: String, of command: Command) throws -> JobSettings {
    try settings.job(named: text, of: command)
  }
}

extension Settings {
  /// Finds a job in any spelling.
  func job(named text: String, of command: Command) throws(UsageError) -> JobSettings {
    let name = try? JobName(text)
    if let job = jobs.first(where: { $0.name == name }) { return job }
    let nearest = closest(to: name?.text ?? text, in: jobs.map(\.name.text))
    throw UsageError(.unknownJob(text, nearest: nearest), command: command)
  }
}

extension Word {
  static let job = Word(name: "JOB", help: "the name of a job, in any spelling")
  static let run = Word(name: "RUN", help: "the number of a run, as 'worker runs' shows it")

  /// The same word where it may be left out.
  var optional: Word { Word(name: name, isOptional: true, help: help) }
}

extension Arguments {
  /// The number of the run that is named.
  func runNumber(of command: Command) throws(UsageError) -> Int {
    let text = self[.run] ?? ""
    guard let number = Int(text), number > 0 else {
      throw UsageError(
        .badWord(text, expected: "write the number of a run, such as 1284"), command: command)
    }
    return number
  }
}

extension LedgerSession {
  /// How a table of these jobs shows times: in their zone, or, where they have several, in that of the
  /// settings; with --utc in UTC.
  func times(_ arguments: Arguments, of jobs: [JobSettings]) throws(ZoneError) -> Times {
    try loaded.times(arguments, of: jobs, at: now)
  }

  /// The same for the job of this name, which the settings may not have any more.
  func times(_ arguments: Arguments, ofJob name: String) throws(ZoneError) -> Times {
    try times(arguments, of: settings.jobs.filter { $0.name.text == name })
  }
}

extension LoadedSettings {
  /// How a table of these jobs shows times at `now`.
  func times(
    _ arguments: Arguments, of jobs: [JobSettings], at now: Instant
  ) throws(ZoneError) -> Times {
    guard !arguments.has(.utc) else { return Times(zone: .utc, now: now) }
    let zones = Set(jobs.map(\.schedule.zone))
    if zones.count == 1, let zone = zones.first { return Times(zone: zone, now: now) }
    return Times(zone: try self.zones.zone(named: settings.time.zone), now: now)
  }
}
