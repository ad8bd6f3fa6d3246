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
    case "help", "--help", "-h": return try help(about: words.dropFirst().first, on: console)
    case "--version": return try Command.version.run(Arguments(), console)
    default: break
    }
    let command = try Command.named(first)
    let arguments = try Arguments(words.dropFirst(), of: command)
    guard !arguments.has(.help) else { return try help(about: command.name, on: console) }
    try arguments.check(command)
    return try command.run(arguments, console)
  }

  private static func help(about name: String?, on console: Console) throws -> ExitCode {
    console.print(try name.map { Help.page(of: try Command.named($0)) } ?? Help.overview())
    return .done
  }
}
