internal import Config
internal import SampleWorld
internal import JobKit
internal import LocalTime
internal import Postgres
internal import Settings

extension Command {
  private static let action = Word(
    name: "data|play", help: "'data' to fill the database, or 'play' to let its world go on")

  /// Makes learners up, for demonstrations and measurements.
  static let demo: Command = Command(
    name: "demo",
    summary: "fill an empty database with made-up learners",
    discussion: """
      'data' fills the schema learning with 3000 learners who do not exist, or --learners, and with what
      they did in the last --days: sessions with habits, answers, rewards that wait to be settled; in some
      seventy time zones, with phones that were offline, travellers, children, learners of their own quiet
      hours, and a few rows that cannot be. The same arguments give the same rows: the instant --until
      belongs to them.

      It needs the rights of the schema's owner, and a schema in which there is nobody: a database of a
      product is refused, and nothing is changed. All is one transaction.

      With --live-days the world goes on: what its learners will do is laid down in a schema demo, and
      'play' lets all of it happen that does up to --until. 'worker simulate --learners' makes such a world
      and lives it through with all jobs.
      """,
    words: [action],
    options: [.config, .learners, .historyDays, .seed, .until, .liveDays, .json],
    examples: [
      (
        "worker demo data --learners 300 --days 30 --seed 7 --until 2026-03-01T00:00:00Z",
        "a small world, always the same"
      )
    ],
    run: { arguments, console in
      switch arguments[action] {
      case "data": return try fill(LedgerSession.openLedger(arguments), arguments, console)
      case "play": return try play(LedgerSession.openLedger(arguments), arguments)
      case let other:
        throw UsageError(
          .badWord(other ?? "", expected: "write 'data' or 'play'"), command: .demo)
      }
    })

  private static func play(
    _ session: borrowing LedgerSession, _ arguments: Arguments
  ) throws -> ExitCode {
    let zone = try session.loaded.zones.zone(named: session.settings.time.zone)
    let end = try arguments.instant(.until, in: zone, at: session.now, of: .demo) ?? session.now
    var world = try LiveWorld.open(on: session.connection)
    try world.goOn(until: end, on: session.connection)
    return .done
  }

  private static func fill(
    _ session: borrowing LedgerSession, _ arguments: Arguments, _ console: Console
  ) throws -> ExitCode {
    let zone = try session.loaded.zones.zone(named: session.settings.time.zone)
    let world = try World(
      learners: arguments.learners(of: .demo) ?? 3000,
      days: arguments.historyDays(of: .demo), seed: arguments.seed(of: .demo),
      now: arguments.instant(.until, in: zone, at: session.now, of: .demo) ?? session.now,
      daysToCome: arguments.number(.liveDays, from: 0, to: 3650, of: .demo) ?? 0,
      zones: session.loaded.zones)
    let report = try DemoFilling.run(world, on: session.connection, console)
    try console.print(
      arguments.has(.json) ? report.json(of: world).pretty : report.text(of: world))
    return .done
  }
}

/// What a world is made of, as both commands read it that make one.
extension Arguments {
  func learners(of command: Command) throws(UsageError) -> Int? {
    try number(.learners, from: 1, to: 100_000_000, of: command)
  }

  func historyDays(of command: Command) throws(UsageError) -> Int {
    try number(.historyDays, from: 0, to: 3650, of: command) ?? 30
  }

  func seed(of command: Command) throws(UsageError) -> Int {
    try number(.seed, from: 0, to: .max, of: command) ?? 1
  }
}

extension Option {
  static let learners = value("learners", "N", "so many made-up learners")
  static let seed = value("seed", "S", "another number, another world (1)")
  fileprivate static let until = value(
    "until", "INSTANT", "the moment up to which it is told, or a local date (now)")
  fileprivate static let liveDays = value(
    "live-days", "N", "lay down what they will do in so many days to come (0)")
  static let historyDays = value("days", "N", "so many days of their history (30)")
}

/// Filling a database with a world, on a terminal.
enum DemoFilling {
  static func run(
    _ world: World, on connection: borrowing Connection, _ console: Console
  ) throws -> Filling.Report {
    defer { console.clearProgress() }
    return try Filling(with: world) { table, done, total in
      guard console.drawsProgress else { return }
      let line = ProgressLine(done: done, total: total, recently: 0, elapsed: .zero)
      console.progress(total > 0 ? "\(table) \(line.text ?? "")" : table)
    }.run(on: connection)
  }
}

extension Filling.Report {
  fileprivate func text(of world: World) -> String {
    let counts = rows.map { "\($0.count) \($0.table)" }.joined(separator: ", ")
    return "made up, as of \(world.now): \(counts)"
  }

  fileprivate func json(of world: World) -> JSON {
    [
      "as_of": .string(world.now.description), "seed": .integer(world.seed),
      "rows": .object(rows.map { .init($0.table, .integer($0.count)) }),
    ]
  }
}
