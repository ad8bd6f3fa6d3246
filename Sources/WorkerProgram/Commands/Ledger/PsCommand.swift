internal import Config
internal import JobKit
internal import Ledger
internal import LocalTime
internal import Postgres

extension Command {
  /// Shows what runs now.
  static let ps: Command = Command(
    name: "ps",
    summary: "show what runs now: progress, rate, time left, lease",
    discussion: """
      One line for each part that a worker holds, on whatever host, and below it a sentence for each run
      that has begun, is held or is due and that no worker has: what it waits for. While no daemon is
      alive, the first line says that, and since when. With --watch it
      looks every two seconds until Ctrl-C, which ends it with 0: a terminal shows the newest, a pipe
      each line that is new.
      """,
    options: [.config, .watch, .json] + Option.ofTables,
    examples: [
      (
        "worker ps",
        "what every worker on every host is at"
      )
    ],
    run: { arguments, console in
      let isWatched = try arguments.isWatched(by: .watch, of: .ps)
      let session = try LedgerSession.openLedger(arguments)
      if isWatched {
        try console.watch { try text(arguments, session, console) }
      } else if arguments.has(.json) {
        let parts = try Ledger.parts(on: session.connection)
        try console.print(JSON.array(parts.map { $0.json(at: session.now) }).pretty)
      } else {
        try console.print(try text(arguments, session, console))
      }
      return .done
    })

  /// What runs at this moment, as people read it.
  private static func text(
    _ arguments: Arguments, _ session: borrowing LedgerSession, _ console: Console
  ) throws -> String {
    let parts = try Ledger.parts(on: session.connection)
    let now = try LedgerClock.database.now(on: session.connection)
    let waiting = try waiting(at: now, on: session.connection)
    var table = waiting.isEmpty ? "nothing runs" : nil
    if !parts.isEmpty {
      table = try console.text(PartTable.of(parts, at: now), arguments, of: .ps)
    }
    let times = Times(zone: try session.zone, now: now)
    let lines = [try session.absence(times), table].compactMap(\.self) + waiting
    return lines.joined(separator: "\n")
  }

  /// A sentence for each run that is not over and that no worker has.
  private static func waiting(
    at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) -> [String] {
    var filter = Ledger.RunFilter()
    filter.isUnfinished = true
    return try Ledger.runs(filter, on: connection).filter { $0.wait(at: now) != nil }.map {
      "run \($0.id) of \($0.job) \($0.standing(at: now))".withVisibleControls
    }
  }
}

extension Option {
  fileprivate static let watch = flag("watch", "look again and again, until Ctrl-C")
}
