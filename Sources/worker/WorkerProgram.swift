@main
struct WorkerProgram {
  static func main() {
    let console = Console()
    let outcome = run(Array(CommandLine.arguments.dropFirst()), on: console)
    ProgramExit.end(outcome)
  }

  /// Runs what `words` ask for; whatever goes wrong is one line for the operator and an exit code.
  static func run(_ words: [String], on console: Console) -> ExitCode {
    do {
      return try carryOut(words, on: console)
    } catch {
      let failure = Failure(error)
      console.complain(failure.lines)
      return failure.exitCode
    }
  }

  private static func carryOut(_ words: [String], on console: Console) throws -> ExitCode {
    guard let first = words.first else { throw UsageError(.noCommand, command: nil) }
    switch first {
    case "help", "--help", "-h": return try help(about: words.dropFirst(), on: console)
    default: break
    }
    let command = first == "--version" ? .version : try Command.named(first)
    let arguments = try Arguments(words.dropFirst(), of: command)
    guard !arguments.has(.help) else { return try help(about: [command.name], on: console) }
    try arguments.check(command)
    return try command.run(arguments, console)
  }

  private static func help(
    about names: ArraySlice<String>, on console: Console
  ) throws -> ExitCode {
    if let second = names.dropFirst().first {
      throw UsageError(.unexpectedWord(second), command: nil)
    }
    let command = try names.first.map { name in try Command.named(name) }
    try console.print(command.map(Help.page) ?? Help.overview())
    return .done
  }
}
