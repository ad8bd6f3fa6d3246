internal import Config
internal import Glibc
internal import JobKit
internal import LocalTime
internal import Migrations
internal import Postgres

/// Tells what `worker migrate up` is at, as a step may take minutes, and what it did or would do.
final class MigrationReport {
  let roles: LedgerRoles
  let isRehearsal: Bool
  private let console: Console
  private let isForMachines: Bool
  private var done: [String] = []
  private var underWay: String?
  private var hasWaited = false

  /// Why a line could not be written: that keeps nobody from migrating.
  private var unwritten: Unwritten?

  init(on console: Console, roles: LedgerRoles, isRehearsal: Bool, isForMachines: Bool) {
    (self.console, self.roles) = (console, roles)
    (self.isRehearsal, self.isForMachines) = (isRehearsal, isForMachines)
  }

  /// Runs `work`, which migrates by a connection: Ctrl-C ends what the server is at, and a failure says which
  /// step was under way.
  func telling(of connection: borrowing Connection, _ work: () throws -> Void) throws {
    let canceller = Canceller()
    connection.canceller = canceller
    Signals().hear([SIGINT, SIGTERM, SIGHUP]) { _ in canceller.cancel() }
    do {
      try work()
    } catch {
      guard !canceller.isCancelled else { throw MigrationInterrupted(step: underWay) }
      if let underWay { console.remark(failure(of: underWay)) }
      throw error
    }
  }

  private func failure(of step: String) -> String {
    isRehearsal
      ? "it was '\(step)' that failed; of a dry run nothing is kept"
      : "'\(step)' has left nothing behind; what was applied before it stays"
  }

  func hear(_ news: MigrationNews, of schema: Schema) {
    switch news {
    case .waiting(let other, let limit):
      guard !hasWaited else { return }
      hasWaited = true
      console.remark(
        "another host migrates this database\(other.map { " (\($0))" } ?? ""): this one waits until it is done,"
          + " for \(limit.written) at most")
    case .applying(let migration):
      let step = migration.step(of: schema)
      underWay = step
      if console.drawsProgress { console.progress("applying \(step)") }
    case .heldUp(let error, let pause, let triesLeft):
      console.clearProgress()
      let reason = error.report.map { " (\($0.message))" } ?? ""
      console.remark(
        "\(underWay.map { "'\($0)'" } ?? "granting rights") met others at its tables\(reason) and has let"
          + " go; it is tried again in \(pause.written), at most \(triesLeft.counted("time"))")
    case .applied(let migration):
      underWay = nil
      done.append(migration.step(of: schema))
      console.clearProgress()
      write("\(isRehearsal ? "would apply" : "applied") \(migration.step(of: schema))")
    }
  }

  /// Tells the rest, when all is done.
  func conclude() throws(Unwritten) {
    let granted = isRehearsal ? "would grant" : "granted"
    if done.isEmpty { write("the schema is up to date") }
    if let role = roles.worker { write("\(granted) '\(role)' what a worker needs") }
    if let role = roles.reader { write("\(granted) '\(role)' to look") }
    if let role = roles.requester { write("\(granted) '\(role)' to ask for runs") }
    if isRehearsal { write("nothing of this was kept: it was a dry run") }
    if let unwritten { throw unwritten }
    if isForMachines { try console.print(json.pretty) }
  }

  /// Writes a line for people.
  private func write(_ line: String) {
    guard !isForMachines else { return }
    do throws(Unwritten) {
      try console.print(line)
    } catch {
      unwritten = error
    }
  }

  private var json: JSON {
    [
      "applied": .array(done.map { .string($0) }),
      "worker_role": JSON(roles.worker), "reader_role": JSON(roles.reader),
      "request_role": JSON(roles.requester),
      "dry_run": .boolean(isRehearsal),
    ]
  }
}

extension Migration {
  fileprivate func step(of schema: Schema) -> String { "\(schema.name) \(version) \(name)" }
}

/// Somebody has ended a migration before its time.
private struct MigrationInterrupted: EndingError {
  let step: String?

  var description: String {
    let left = step.map { "'\($0)' has left nothing behind, and " } ?? ""
    return "interrupted: \(left)what was applied before stays; 'worker migrate up' goes on there"
  }

  var exitCode: ExitCode { .interrupted }
}
