@testable import JobKit
@testable import Ledger
@testable import Runner
@testable import Settings

import LocalTime
import Migrations
import Postgres
import Synchronization
import TestSupport
import Testing

/// A server of its own with a ledger, on which a whole daemon runs by the server's clock.
final class Site {
  let server = Result { try PrivateServer() }
  private let lines = Lines()

  init() throws {
    let connection = try connect()
    try Schema().migrate(
      by: "test", at: LedgerClock.database.now(on: connection), on: connection)
  }

  /// A connection of the test's own.
  func connect() throws -> Connection { try server.get().connect() }

  /// A connection as another role than the superuser.
  func connect(as role: String) throws -> Connection {
    try Connection(to: Server(address(as: role)))
  }

  private func address(as role: String) throws -> String {
    try server.get().url(user: "'\(role)'")
  }

  /// A daemon that runs `work` every second, and is impatient with its server.
  func daemon(
    of job: JobName = "sample", every rhythm: Duration = .seconds(1), workers: Int = 2,
    lease: Duration = .seconds(3), as role: String = "postgres",
    heardBy listeners: [any DaemonListener] = [], telling notifier: Notifier? = nil,
    policies: Policies = Policies(), at addresses: String? = nil,
    statementLimit: Duration = .seconds(2),
    _ work: @escaping @Sendable (inout JobContext) throws -> Outcome = { _ in Outcome("done") }
  ) throws -> Daemon {
    var address = try Server(addresses ?? address(as: role))
    (address.statementLimit, address.connectTimeout) = (statementLimit, .seconds(2))
    address.grace = .milliseconds(500)
    let pool = WorkerPool(
      name: .sample(.random(in: 0 ... .max)),
      jobs: [WorkerPool.Member(job: Rehearsed(name: job, work: work), policies: policies)],
      zones: try SampleSettings.zones.get(), lease: lease)
    return Daemon(
      pool: pool, jobs: [try .sample(job, every: rhythm)], workers: workers, server: address,
      log: Log(from: .debug, now: { Instant(microseconds: 0) }, write: lines.append),
      heardBy: listeners, telling: notifier)
  }

  /// What the daemons have logged.
  var log: [String] { lines.all }

  /// Waits until a statement that counts gives at least so much; a server that is away is asked again.
  func wait(for least: Int, of statement: Statement) throws {
    var connection: Connection?
    try eventually {
      do {
        if connection == nil { connection = try connect() }
        return try connection?.run(statement).only[0] ?? 0 >= least
      } catch {
        connection = nil
        return false
      }
    }
  }

  /// The one number that a statement gives.
  func number(_ statement: Statement) throws -> Int {
    try connect().run(statement).only[0]
  }

  /// Waits until so many runs have succeeded that were due after the moment.
  func awaitSuccesses(_ least: Int, after moment: Instant = Instant(microseconds: 0)) throws {
    let statement: Statement = """
      SELECT count(*) FROM jobkit.run
      WHERE state = 'succeeded' AND scheduled_for > \(moment)
      """
    try wait(for: least, of: statement)
  }

  /// Ticks that have no row, or several.
  func ticksWithoutOneRow() throws -> Int {
    try number(
      """
      SELECT abs(extract(epoch FROM max(scheduled_for) - min(coalesce(first_tick, scheduled_for)))
        + 1 - sum(ticks))::bigint FROM jobkit.run
      """)
  }

  /// The run that goes on, and its part.
  func openRun() throws -> String {
    try connect().run(
      """
      SELECT coalesce((SELECT run.state || ' ' || part.state || ' ' || coalesce(cursor, '-')
        FROM jobkit.run JOIN jobkit.part ON run = id WHERE run.state = 'running'), 'none')
      """
    ).only[0]
  }
}

/// Lines of a log, from any thread.
private final class Lines: Sendable {
  private let lines = Mutex<[String]>([])

  var all: [String] { lines.withLock(\.self) }

  func append(_ line: LogLine) {
    lines.withLock { $0.append("\(line.level.rawValue): \(line.message)") }
  }
}
