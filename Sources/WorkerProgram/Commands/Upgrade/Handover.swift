internal import Config
internal import JobKit
internal import Ledger
internal import LocalTime
internal import Postgres

/// What became of a handover, or would.
struct Handover {
  let version: String

  /// The daemons that stay, and those of other versions.
  let heirs: [DaemonRecord]
  let leaving: [DaemonRecord]

  /// Those that are still there although time is up.
  var left: [String] = []

  /// What those that left were at, as it stands now.
  var estate: [PartRecord] = []
  var isDone = false

  /// The jobs that only those who leave have code for.
  var lostJobs: [String] {
    let known = Set(heirs.flatMap(\.jobs))
    return Set(leaving.flatMap(\.jobs)).subtracting(known).sorted()
  }
}

extension Handover {
  /// Who would take over from whom.
  static func plan(
    to version: String, on connection: borrowing Connection
  ) throws -> Handover {
    let alive = try DaemonWatch.alive(on: connection)
    return Handover(
      version: version,
      heirs: alive.filter { $0.version == version && $0.readyAt != nil && $0.drainAskedBy == nil },
      leaving: alive.filter { $0.version != version })
  }

  /// Waits for the new, asks the old to end, and waits for that.
  static func carryOut(
    to version: String, by author: String, within limit: Duration,
    on connection: borrowing Connection
  ) throws -> Handover {
    let watch = DaemonWatch(within: limit)
    guard try !watch.ready(version, on: connection).isEmpty else {
      throw HandoverRefused(version: version, limit: limit)
    }
    var handover = try plan(to: version, on: connection)
    let names = handover.leaving.map(\.name)
    let held = try Ledger.parts(on: connection).filter { names.contains($0.daemon ?? "") }
    try Ledger.askToDrain(
      names, by: author, at: LedgerClock.database.now(on: connection), on: connection)
    handover.left = try watch.remaining(of: names, on: connection).map(\.name)
    handover.estate = try held.compactMap { part in
      try Ledger.parts(of: part.run, on: connection).first { $0.number == part.number }
    }
    handover.isDone = true
    return handover
  }
}

/// No daemon of the version to keep got ready.
struct HandoverRefused: Error, CustomStringConvertible {
  let version: String
  let limit: Duration

  var description: String {
    "no daemon of version \(version) was ready within \(limit.written): nobody was asked to end; start"
      + " one, and see its log and 'worker daemons' when there is one already"
  }
}

extension HandoverRefused: EndingError {
  var exitCode: ExitCode { .refusedForNow }
}
