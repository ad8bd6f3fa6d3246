internal import Config
internal import JobKit
internal import Ledger
internal import LocalTime
internal import Postgres

extension Command {
  private static let asked = Word(
    name: "DAEMON", isOptional: true, repeats: true,
    help: "a daemon as 'worker daemons' names it, or the beginning of its name, as in db1:4711")

  /// Asks daemons to end.
  static let drain: Command = Command(
    name: "drain",
    summary: "ask daemons, on whatever host, to stop at their next chunks and end",
    discussion: """
      The ledger carries the request: a daemon hears of it within two seconds and does what it does upon
      SIGTERM. Nothing new is begun, what runs stops at its next chunk and goes on elsewhere, and the
      daemon ends with 0, which a unit with Restart=on-failure leaves alone. A daemon that is started
      again is another one: nobody has asked it.

      To stop the work of a job and keep the daemons, 'worker pause' it. With --wait this ends when all
      of them are gone, or with 75 when that takes longer. A DAEMON or a HOST of which no daemon is alive
      ends it with 65, and nobody is asked; that --all finds none is no mistake.
      """,
    words: [asked],
    options: [.config, .host, .everyDaemon, .patience, .json],
    examples: [("worker drain --all --wait 5m", "before the database is moved")],
    run: { arguments, console in
      let session = try LedgerSession.openLedger(arguments)
      let chosen = try choice(of: arguments, on: session.connection)
      let patience = try arguments.patience(.patience, of: .drain, else: .zero)
      try Ledger.askToDrain(chosen, by: Host.author, at: session.now, on: session.connection)
      if arguments[.patience] != nil, !chosen.isEmpty {
        console.remark("waits for their end, \(patience.written) at most")
      }
      let left =
        arguments[.patience] == nil
        ? [] : try DaemonWatch(within: patience).remaining(of: chosen, on: session.connection)
      try console.answer(
        sentence(of: chosen, left: left.map(\.name), hasWaited: arguments[.patience] != nil),
        [
          "asked": .array(chosen.map { .string($0) }),
          "left": .array(left.map { .string($0.name) }),
        ], to: arguments)
      return left.isEmpty ? .done : .refusedForNow
    })

  private static func choice(
    of arguments: Arguments, on connection: borrowing Connection
  ) throws -> [String] {
    let (words, host) = (arguments.all(asked), arguments[.host])
    let ways =
      (words.isEmpty ? 0 : 1) + (host == nil ? 0 : 1) + (arguments.has(.everyDaemon) ? 1 : 0)
    guard ways == 1 else { throw DrainRefused.unclear }
    let alive = try DaemonWatch.alive(on: connection)
    for word in words where !alive.contains(where: { $0.isCalled(word) }) {
      throw DrainRefused.unknown(word)
    }
    if let host, !alive.contains(where: { $0.host == host }) {
      throw DrainRefused.unknownHost(host, known: Set(alive.map(\.host)).sorted())
    }
    return alive.filter { daemon in
      arguments.has(.everyDaemon) || daemon.host == host || words.contains(where: daemon.isCalled)
    }.map(\.name)
  }

  private static func sentence(of chosen: [String], left: [String], hasWaited: Bool) -> String {
    guard !chosen.isEmpty else { return "no daemon is alive: nobody was asked to end" }
    if !left.isEmpty {
      return
        "still there: \(left.joined(separator: ", ")); each ends at the next chunks of what it runs,"
        + " or when its own --drain is over"
    }
    return (hasWaited ? "ended: " : "asked to end: ") + chosen.joined(separator: ", ")
  }
}

extension DaemonRecord {
  /// Whether that is its name, or the beginning of it.
  fileprivate func isCalled(_ word: String) -> Bool { name == word || name.hasPrefix(word + ":") }
}

/// Why nobody was asked to end.
enum DrainRefused: Error, CustomStringConvertible {
  case unclear
  case unknown(String)
  case unknownHost(String, known: [String])

  var description: String {
    switch self {
    case .unclear: "it is not clear which daemons are meant: name them, or write --host or --all"
    case .unknown(let word):
      "no daemon alive is called '\(word)': 'worker daemons' lists them; nobody was asked to end"
    case .unknownHost(let host, let known):
      "no daemon is alive on a host '\(host)', "
        + (known.isEmpty ? "nor on any other" : "only on \(known.joined(separator: ", "))")
        + "; nobody was asked to end"
    }
  }
}

extension Option {
  fileprivate static let host = value("host", "HOST", "all daemons of that host")
  fileprivate static let everyDaemon = flag("all", "all daemons of this ledger")
  fileprivate static let patience = value(
    "wait", "DURATION", "wait until they are gone, so long at most")
}

extension DrainRefused: EndingError {
  var exitCode: ExitCode {
    switch self {
    case .unclear: .usage
    case .unknown, .unknownHost: .badData
    }
  }
}
