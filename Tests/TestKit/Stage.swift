public import JobKit
public import Ledger
public import LocalTime
public import Migrations
public import Postgres
public import Runner
internal import Synchronization
public import TestSupport

/// A private database with a ledger, a clock turned by hand, and a daemon's parts to be moved by hand.
///
/// It is there in milliseconds, belongs to one test, and is gone when the test lets go of it.
public final class Stage {
  public let database: TestDatabase
  public let clock: LedgerClock
  public let connection: Connection
  public let zones: ZoneDatabase

  /// Databases with some schemas, which stages copy: one for each choice of schemas.
  private static let templates = Mutex<[[String]: TestDatabase]>([:])

  /// Databases that were filled for a suite, each by a name.
  private static let filled = Mutex<[String: TestDatabase]>([:])

  private static func template(of schemas: [Schema]) throws -> TestDatabase {
    try templates.withLock { templates in
      let names = schemas.map(\.name)
      if let template = templates[names] { return template }
      let template = try TestDatabase()
      let connection = try template.connectToServer()
      for schema in schemas {
        try schema.migrate(by: "test", at: Instant("2026-01-01T00:00:00Z"), on: connection)
      }
      templates[names] = template
      return template
    }
  }

  package static let zones = Result { try ZoneDatabase(root: TestEnvironment.zoneinfo) }

  /// A stage whose clock shows the instant that `text` spells; besides the ledger it has `schemas`.
  public init(at text: String, with schemas: Schema...) throws {
    database = try TestDatabase(copying: Self.template(of: [Schema()] + schemas))
    clock = LedgerClock(showing: try Instant(text))
    connection = try database.connect()
    zones = try Self.zones.get()
  }

  /// A stage of tests that all begin with the same rows, which are many: `fill` writes them once for all tests that say
  /// the same `name`, and each has a copy.
  public init(
    at text: String, filledAs name: String, by fill: (borrowing Connection, Instant) throws -> Void
  ) throws {
    let start = try Instant(text)
    database = try TestDatabase(
      copying: Self.filled.withLock { filled in
        if let database = filled[name] { return database }
        let database = try TestDatabase(copying: Self.template(of: [Schema()]))
        try fill(database.connectToServer(), start)
        filled[name] = database
        return database
      })
    clock = LedgerClock(showing: start)
    connection = try database.connect()
    zones = try Self.zones.get()
  }

  public var now: Instant {
    get throws { try clock.now(on: connection) }
  }

  /// Lets time pass.
  public func pass(_ time: Duration) throws {
    clock.turn(to: try now + time)
  }

  /// Makes a scheduler of these jobs, which has started.
  public func scheduler(_ jobs: ScheduledJob..., daemon: String = "test") throws -> Scheduler {
    var scheduler = Scheduler(jobs, daemon: daemon)
    try scheduler.start(at: now, on: connection)
    return scheduler
  }

  /// A worker with a connection of its own, which has code for `members`.
  public func worker(
    _ word: UInt32 = 1, _ members: WorkerPool.Member..., lease: Duration = .seconds(15)
  ) throws -> Worker {
    let name = DaemonID(host: "host", process: 1, version: "1", settingsHash: "1", word: word)
    let pool = WorkerPool(name: name, jobs: members, zones: zones, lease: lease)
    return Worker(of: pool, clock: clock, on: try database.connect())
  }
}

extension Stage {
  /// The one number that a statement gives.
  public func count(_ statement: Statement) throws -> Int {
    try connection.run(statement).only[0]
  }

  /// The one text that a statement gives.
  public func text(_ statement: Statement) throws -> String {
    try connection.run(statement).only[0]
  }

  /// Every run of a job as `scheduled_for state reason`, oldest first.
  public func runs(of job: JobName = "sample") throws -> [String] {
    let rows = try connection.run(
      """
      SELECT scheduled_for, state, coalesce(reason, '') AS reason FROM jobkit.run
      WHERE job = \(job) ORDER BY scheduled_for, id
      """)
    return try rows.map { row in
      let moment = try row["scheduled_for", as: Instant.self]
      let words = [moment.description, try row["state"], try row["reason"]]
      return words.filter { !$0.isEmpty }.joined(separator: " ")
    }
  }
}
