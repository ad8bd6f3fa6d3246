internal import CWorker
public import Config
public import JobKit
public import Migrations

/// The command line: every command, and what becomes of what goes wrong.
public enum WorkerProgram {
  /// The program `worker`: the learning app, unless the settings switch it off, and the jobs that they describe.
  ///
  /// It does what the words of the command line ask for, and ends the process.
  public static func main() {
    StandardStream.holdPlaces()
    let words = Array(CommandLine.arguments.dropFirst())
    LearningApp.begin(LearningApp.state(of: SettingsFile(words: words)))
    start(words)
  }

  /// A program with these jobs, and those that its settings describe.
  ///
  /// `schemas` are those that the jobs need tables of: `migrate up` brings them about.
  public static func main(jobs: [any Job], schemas: [Schema] = []) {
    main(settings: [], schemas: schemas) { _ in jobs }
  }

  /// A program with jobs that go by settings of their own.
  ///
  /// `jobs` is asked for them whenever the settings are read: the book has what they say of each rule in `settings`.
  public static func main(
    settings: [AnyRule], schemas: [Schema] = [],
    jobs: @escaping @Sendable (RuleBook) throws -> [any Job]
  ) {
    StandardStream.holdPlaces()
    LearningApp.begin(.absent)
    Composition.begin(Composition(jobs: jobs, rules: settings, schemas: schemas))
    start(Array(CommandLine.arguments.dropFirst()))
  }

  private static func start(_ words: [String]) {
    // What it has in memory are passwords, too.
    forbid_core_dumps()
    // Whoever has read enough, as `head` does, must not end a run in its middle.
    Signals.ignoreBrokenPipes()
    let console = Console()
    let outcome = run(words, on: console)
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
    guard let first = words.first else {
      // On standard error: what reads the output of a script that lost its command gets no help page.
      for line in Help.overview().split(separator: "\n", omittingEmptySubsequences: false) {
        console.tell(String(line))
      }
      return .usage
    }
    let command = try command(written: first)
    let arguments = try Arguments(words.dropFirst(), of: command)
    guard !arguments.has(.help) else {
      try console.print(Help.page(of: command))
      return .done
    }
    try arguments.check(command)
    return try command.run(arguments, console)
  }

  /// The command that the first word names; a few options stand for one.
  private static func command(written word: String) throws(UsageError) -> Command {
    switch word {
    case "--help", "-h": return .help
    case "--version", "-v", "-V": return .version
    default: return try Command.named(word)
    }
  }
}
