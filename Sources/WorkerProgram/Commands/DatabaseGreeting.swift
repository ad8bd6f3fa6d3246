internal import JobKit
internal import Jobs
internal import Ledger
internal import LocalTime
internal import Postgres
internal import Push
internal import Settings

/// What the database says of itself when it is asked.
struct DatabaseGreeting {
  let server: String
  let user: String
  let clock: Instant

  /// The providers that learners' devices need, where that was asked.
  let providers: [PushProvider]

  /// The jobs that lack a table or a right, as a sentence for each: the daemon skips their ticks.
  let blocked: [String]

  /// What it has against jobs that the settings describe.
  let findings: [JobFinding]
}

extension DatabaseGreeting: CustomStringConvertible {
  var description: String { "PostgreSQL \(server), as \(user), its clock at \(clock)" }
}

extension DatabaseGreeting {
  /// Connects as the daemon would, and asks once.
  ///
  /// A database that lacks migrations is refused, as the daemon would.
  static func ask(
    _ server: Server, of loaded: LoadedSettings, ofDevices asksOfDevices: Bool
  ) throws -> DatabaseGreeting {
    let connection = try Connection(to: server)
    let rows = try connection.run(
      """
      SELECT current_setting('server_version') AS server, current_user::text AS user,
        date_trunc('second', clock_timestamp()) AS clock
      """)
    let row = try rows.only
    let clock = try row["clock", as: Timestamp.self]
    try ProgramSchemas.requireNewest(on: connection)
    let now = Instant(microseconds: Int64(clock.microsecondsSince1970))
    return DatabaseGreeting(
      server: try row["server"], user: try row["user"], clock: now,
      providers: asksOfDevices ? try LearnerDevice.neededProviders(on: connection) : [],
      blocked: try blocked(loaded, on: connection),
      findings: try loaded.described.flatMap { job in
        try findings(of: job, loaded, at: now, on: connection)
      })
  }

  private static func blocked(
    _ loaded: LoadedSettings, on connection: borrowing Connection
  ) throws -> [String] {
    guard try !RolePowers(on: connection).mayOnlyLook(on: connection) else { return [] }
    let enabled = Set(loaded.settings.jobs.filter(\.isEnabled).map(\.name))
    let jobs = ProgramJobs.definitions(of: loaded).filter { enabled.contains($0.name) }
    let blocks = try Ledger.blocks(
      of: jobs.map { (name: $0.name, needs: $0.needs) }, on: connection)
    return jobs.compactMap { job in
      blocks[job.name].map { "\(job.name) cannot run, and its ticks are skipped: \($0)" }
    }
  }

  private static func findings(
    of job: any SettingsJob, _ loaded: LoadedSettings, at now: Instant,
    on connection: borrowing Connection
  ) throws -> [JobFinding] {
    let settings = loaded.settings.jobs.first { $0.name == job.definition.name }
    return try job.findings(
      parts: settings?.parts ?? 1, percent: settings?.percent ?? 100, at: now, in: loaded.zones,
      on: connection)
  }
}
