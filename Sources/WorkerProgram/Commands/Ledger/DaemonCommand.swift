internal import Config
internal import JobKit
internal import LocalTime

extension Command {
  /// Runs the scheduler and the workers until it is told to end.
  static let daemon: Command = Command(
    name: "daemon",
    summary: "run the scheduler and the workers until told to end",
    discussion: """
      Decides what is due, claims it and runs it; any number of daemons on any number of hosts share the
      work of one database.

      SIGTERM and Ctrl-C end it in good order: nothing new is started, and what runs stops at its next
      chunk, or after --drain is cut off; another daemon goes on there. A second one ends it at once.
      SIGHUP reads the settings again: what is wrong with them is logged and the old ones stay.

      With --check it starts nothing: it ends with 0 when a daemon could start now, as far as the settings,
      the files that they name and the database tell; else it says why not. A database that does not answer
      is a reason, too, though a daemon would wait for it. A package asks so before an upgrade.
      """,
    options: [.config, .drain, .check],
    examples: [("worker daemon --check", "whether a daemon could start as this user")],
    run: { arguments, _ in
      if arguments.has(.check) { return try Service(arguments).check() }
      let budget = try arguments[.drain].map(drainBudget) ?? .seconds(25)
      return try Service(arguments).run(drainingWithin: budget)
    })

  private static func drainBudget(_ text: String) throws(UsageError) -> Duration {
    guard let budget = Duration(written: text), budget <= longestDrain else {
      throw UsageError(
        .badValue(
          text, of: .drain,
          expected: "write a duration such as 25s, of \(longestDrain.written) at most"),
        command: .daemon)
    }
    return budget
  }

  private static let longestDrain = Duration.seconds(86_400)
}

extension Option {
  fileprivate static let drain = value(
    "drain", "DURATION", "how long the end may take before what runs is cut off; else 25s")
  fileprivate static let check = flag("check", "only say whether a daemon could start")
}
