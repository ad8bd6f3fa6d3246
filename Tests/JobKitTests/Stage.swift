import JobKit
import LocalTime
import Postgres
import TestSupport
import Testing

/// A private database with a ledger, a clock turned by hand, and a daemon's parts to be moved by hand.
final class Stage {
  let database: TestDatabase
  let clock: LedgerClock
  let connection: Connection

  /// A database with the whole schema, which every stage copies: that takes milliseconds.
  private static let template = Result {
    let database = try TestDatabase()
    _ = try Schema().migrate(
      by: "test", at: Instant("2026-01-01T00:00:00Z"), on: database.connectToServer())
    return database
  }

  init(at text: String) throws {
    database = try TestDatabase(copying: Self.template.get())
    clock = LedgerClock(showing: try Instant(text))
    connection = try database.connect()
  }

  var now: Instant {
    get throws { try clock.now(on: connection) }
  }

  /// Makes a scheduler of these jobs, which has started.
  func scheduler(_ jobs: ScheduledJob..., daemon: String = "test") throws -> Scheduler {
    var scheduler = Scheduler(jobs, daemon: daemon)
    try scheduler.start(at: now, on: connection)
    return scheduler
  }

  /// A worker with a connection of its own.
  func worker(_ name: UInt32 = 1, _ members: Crew.Member..., lease: Duration = .seconds(15))
    throws -> Worker
  {
    let crew = Crew(
      name: .sample(name),
      jobs: members, zones: try SampleSettings.zones.get(), lease: lease)
    return Worker(of: crew, clock: clock, on: try database.connect())
  }

  /// The one number that a statement gives.
  func count(_ statement: Statement) throws -> Int {
    try connection.run(statement).only[0]
  }

  /// The one text that a statement gives.
  func text(_ statement: Statement) throws -> String {
    try connection.run(statement).only[0]
  }

  /// Every run as `scheduled_for state reason`, oldest first.
  func runs(of job: JobName = "sample") throws -> [String] {
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

extension ScheduledJob {
  /// A job that is due every minute, or at `every`.
  static func sample(
    _ name: JobName = "sample", every interval: Duration = .seconds(60), isEnabled: Bool = true,
    parts: Int = 1,
    _ tune: (inout Policies) -> Void = { _ in }
  ) throws -> ScheduledJob {
    var policies = Policies()
    tune(&policies)
    let interval = try #require(Interval(interval))
    return ScheduledJob(
      name: name, schedule: Schedule(every: interval, shownIn: .utc), policies: policies,
      isEnabled: isEnabled, parts: parts)
  }
}

/// A job whose work is what a test says.
struct Rehearsed: Job {
  var name: JobName = "sample"
  let work: @Sendable (inout JobContext) throws -> Outcome

  var definition: JobDefinition {
    JobDefinition(name: name, purpose: "is rehearsed", schedule: .every(.seconds(60)))
  }

  func run(_ context: inout JobContext) throws -> Outcome {
    try work(&context)
  }
}
