internal import Config
internal import JobKit
internal import LocalTime
internal import Postgres

/// A job of the settings that runs a program.
///
/// The program is begun again from its start by whoever goes on with the part: it is run at least once.
struct CommandJob: SettingsJob {
  let definition: JobDefinition
  let words: CommandWords
  var variables: [(name: String, value: String)] = []

  /// Whose rights it gets; nothing for those of the daemon.
  var user: String?

  /// Where it begins; nothing for the home of its user.
  var folder: String? = "/"

  /// How many bytes of memory it may address, and how many files it may have open.
  var memory: Int?
  var files: Int?

  /// How long it has between SIGTERM and SIGKILL.
  var patience: Duration = .seconds(10)

  /// The zone in which the day of a run is told.
  var zone: Zone = .utc
  let listing: [(key: String, value: String)]
  var remarks: [Problem] = []

  /// Who hears each line that the program prints.
  var listener: @Sendable (PrintedLine) -> Void = { _ in }

  func scheduled(in zone: Zone) -> any SettingsJob {
    var job = self
    job.zone = zone
    return job
  }

  func printing(
    to listener: @escaping @Sendable (PrintedLine) -> Void
  ) -> any SettingsJob {
    var job = self
    job.listener = listener
    return job
  }

  func findings(
    parts: Int, percent: Int, at now: Instant, in zones: ZoneDatabase,
    on connection: borrowing Connection
  ) throws -> [JobFinding] { [] }

  func run(_ context: inout JobContext) throws -> Outcome {
    let values = values(in: context)
    let command = words.filled(with: values)
    let user = try resolvedUser()
    guard !context.isDryRun else {
      return Outcome("runs \(shown(command)), which a dry run does not")
    }
    let home = CommandUser.home(of: user)
    let call = GuardedProgram.Call(
      words: command, variables: values.variables(home: home, variables), folder: folder ?? home,
      user: user, memory: memory, files: files, patience: patience)
    try context.checkStop()
    let (end, output) = try follow(call, &context)
    return try outcome(of: end, saying: output.tail.lastLine, context)
  }

  private func values(in context: borrowing JobContext) -> CommandValues {
    CommandValues(
      job: definition.name, tick: context.scheduledFor, zone: zone, run: context.fence?.run,
      attempt: context.attempt, part: context.part)
  }

  /// As a person would write it in a shell.
  private func shown(_ words: [String]) -> String {
    let line = words.map { word in
      let isPlain = word.allSatisfy { $0.isLetter || $0.isNumber || "-_./:=,+@%".contains($0) }
      return isPlain && !word.isEmpty ? word : "'\(word.replacing("'", with: "'\\''"))'"
    }
    return line.joined(separator: " ").withVisibleControls + (user.map { " as '\($0)'" } ?? "")
  }

  /// The user that the program becomes; nothing where it is the daemon's own.
  private func resolvedUser() throws(CommandFault) -> CommandUser? {
    let own = CommandUser.own
    guard let user else {
      guard own != 0 else {
        throw CommandFault(
          "the daemon is root, and runs no program as root: write 'command_user' for the job")
      }
      return nil
    }
    guard let found = CommandUser(named: user) else {
      throw CommandFault("there is no user '\(user)' on this host: 'command_user' names it")
    }
    if found.isRoot { throw CommandFault("'\(user)' is root, and no program is run as root") }
    if found.user == own { return nil }
    guard own == 0 else {
      throw CommandFault("only a daemon that is root can run a program as '\(user)'")
    }
    return found
  }
}

extension CommandJob {
  /// How often the ledger is told how far the program is, at most.
  private static let rhythm = Duration.seconds(1)

  /// Runs the program to its end, and writes what it has printed.
  private func follow(
    _ call: GuardedProgram.Call, _ context: inout JobContext
  ) throws -> (ProgramEnd, ProgramOutput) {
    let deadline = context.leaseEnd.map(Lifeline.deadline) ?? .max
    let (listener, fence) = (listener, context.fence)
    var program = try GuardedProgram.start(call, until: deadline) { line, stream in
      if let fence { listener(PrintedLine(line, to: stream, by: fence)) }
    }
    let lifeline = program.lifeline
    context.hear { lifeline.pass($0) }
    defer { context.hear(nil) }
    var step: ProgressLines.Step?
    var next = ContinuousClock.now
    while true {
      switch program.next(within: step == nil ? nil : max(.zero, next - .now)) {
      case .progress(let made)?: step = made
      case .ended(let end)?:
        try context.keep(output: program.output.tail.text) { progress in
          step?.write(to: &progress)
          progress.counters.count("tries")
        }
        return (end, program.output)
      case nil: break
      }
      if let made = step, ContinuousClock.now >= next {
        try context.writeDown { _, progress in made.write(to: &progress) }
        (step, next) = (nil, .now + Self.rhythm)
      }
    }
  }

  private func outcome(
    of end: ProgramEnd, saying line: String?, _ context: borrowing JobContext
  ) throws -> Outcome {
    switch end {
    case .unstarted(let step, let code): throw CommandFault(step: step, errno: code)
    case .unknown:
      throw CommandFault(
        "the process that guards the program was killed, and the program with it; what the program"
          + " had started may still run")
    case .ended(let status, .itself): return try outcome(of: status, saying: line)
    case .ended(let status, .asked):
      try context.checkStop()
      throw CommandFault(status.sentence(saying: line))
    case .ended(_, .leaseOver), .ended(_, .orphaned):
      guard let fence = context.fence else { throw Stopped.fenceLost }
      throw FenceLost(fence: fence)
    }
  }

  private func outcome(of status: ProgramEnd.Status, saying line: String?) throws -> Outcome {
    switch status {
    case .exit(0): return Outcome(status.sentence(saying: line))
    case .exit(Self.tryAgain): throw CommandFault(status.sentence(saying: line))
    case .exit, .signal: throw FailedForGood(status.sentence(saying: line))
    }
  }

  /// EX_TEMPFAIL, by which programs have long said so.
  private static let tryAgain: Int32 = 75
}

extension ProgressLines.Step {
  func write(to progress: inout Progress) {
    (progress.done, progress.total) = (done, total)
  }
}

extension ProgramEnd.Status {
  func sentence(saying line: String?) -> String {
    "\(self)" + (line.map { ": \($0)" } ?? "")
  }
}
