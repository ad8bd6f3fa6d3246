internal import LocalTime

/// One command of the program: what it is called, what it takes, what it teaches and what it does.
struct Command: Sendable {
  let name: String

  /// One line for the overview.
  let summary: String

  /// Paragraphs for the command's own help.
  let discussion: String

  /// The words that stand for themselves, in their order.
  var words: [Word] = []

  let options: [Option]

  /// Command lines that work as they stand, each with what it shows.
  let examples: [(line: String, shows: String)]

  let run: @Sendable (Arguments, Console) throws -> ExitCode
}

/// A word behind a command's name that is no option, such as the name of a job.
struct Word: Sendable, Equatable {
  /// What stands for it in the help.
  let name: String
  var isOptional = false

  /// Whether several may be written: only the last word of a command may say so.
  var repeats = false
  let help: String

  var usage: String {
    let word = repeats ? "\(name)…" : name
    return isOptional ? "[\(word)]" : word
  }
}

extension Command {
  /// How the command is written: `worker run JOB [OPTION]…`.
  var usage: String {
    (["worker", name] + words.map(\.usage) + ["[OPTION]…"]).joined(separator: " ")
  }

  /// Every option that the command takes, `--help` included.
  var allOptions: [Option] { options + [.help] }

  func option(written word: String) -> Option? {
    allOptions.first { "--\($0.name)" == word || $0.short.map { "-\($0)" } == word }
  }
}

extension Command {
  /// Every command below what one comes for, in the order in which the overview shows them.
  static let groups: [(title: String, commands: [Command])] = [
    ("running jobs", [.daemon, .run, .backfill]),
    ("looking", [.jobs, .ps, .runs, .show, .daemons, .why, .report, .audit]),
    ("looking ahead", [.next] + LearningApp.whenOn([.forecast]) + [.simulate]),
    ("deciding", [.pause, .resume, .cancel, .retry, .approve, .retire]),
    (
      "operating",
      [.`init`, .`import`, .migrate, .check, .doctor, .health] + LearningApp.whenOn([.push])
        + [.alerts, .notify, .drain, .handover] + LearningApp.whenOn([.demo])
    ),
    ("reference", [.help, .manual, .completions, .version]),
  ]

  /// The commands that only the learning app has.
  static let ofLearning: [Command] = [.forecast, .push, .demo]

  /// Every command.
  static let all: [Command] = groups.flatMap(\.commands)

  static func named(_ name: String) throws(UsageError) -> Command {
    guard !name.hasPrefix("-") else { throw UsageError(.optionFirst(name), command: nil) }
    guard let command = all.first(where: { $0.name == name }) else {
      guard LearningApp.state != .off || !ofLearning.contains(where: { $0.name == name }) else {
        throw UsageError(.ofAppThatIsOff(name), command: nil)
      }
      guard !["log", "logs"].contains(name) else { throw UsageError(.noLogs(name), command: nil) }
      throw UsageError(.unknownCommand(name), command: nil)
    }
    return command
  }
}
