internal import LocalTime

/// One command of the program: what it is called, what it takes, what it teaches and what it does.
struct Command: Sendable {
  let name: String

  /// One line for the overview.
  let summary: String

  /// Paragraphs for the command's own help.
  let discussion: String

  let options: [Option]

  /// Command lines that work as they stand, each with what it shows.
  let examples: [(line: String, shows: String)]

  let run: @Sendable (Arguments, Console) throws -> ExitCode
}

extension Command {
  /// Every option that the command takes, `--help` included.
  var allOptions: [Option] { options + [.help] }

  func option(written word: String) -> Option? {
    allOptions.first { "--\($0.name)" == word }
  }
}

extension Command {
  /// Every command, in the order in which the overview shows them.
  static let all: [Command] = [.check, .next, .version]

  static func named(_ name: String) throws(UsageError) -> Command {
    guard !name.hasPrefix("-") else { throw UsageError(.optionFirst(name), command: nil) }
    guard let command = all.first(where: { $0.name == name }) else {
      throw UsageError(.unknownCommand(name), command: nil)
    }
    return command
  }
}
