internal import Config
internal import JobKit
internal import LocalTime

extension Command {
  private static let kind = Word(name: "crontab", help: "what is imported: 'crontab'")
  private static let file = Word(name: "FILE", help: "the file, or - for standard input")

  /// Makes settings of what another scheduler has.
  static let `import`: Command = Command(
    name: "import",
    summary: "print the settings that a crontab becomes",
    discussion: """
      Prints a table of the settings for each line of a crontab that runs a command, as in
      'crontab -l | worker import crontab - >>jobs.toml'. Comments say what cron does otherwise: at changes
      of the clocks, with '%', MAILTO, days of the month and of the week, and runs that overlap. A command
      that is a program by its absolute path, and words, needs no shell; any other is read by the shell
      that the crontab names, or by /bin/sh. Variables of the crontab become those of the programs.

      With --system each line has a user behind its schedule, as in /etc/crontab and /etc/cron.d; what ran
      as root becomes a job that is not enabled, since no program is run as root.

      A line that no job can be made of, such as one with @reboot, is left out and told with its line and
      column on standard error; the command then ends with 65.
      """,
    words: [kind, file],
    options: [.ofSystem, .zoneOfCron],
    examples: [],
    run: { arguments, console in
      guard arguments[kind] == "crontab" else {
        throw UsageError(
          .badWord(arguments[kind] ?? "", expected: "write 'crontab'"), command: .`import`)
      }
      return try importCrontab(arguments[file] ?? "", arguments, console)
    })

  private static func importCrontab(
    _ path: String, _ arguments: Arguments, _ console: Console
  ) throws -> ExitCode {
    let zones = try ZoneDatabase(
      root: ZoneDatabase.root(configured: nil, environment: Environment.ofZones))
    let zone = arguments[.zoneOfCron] ?? Host.zone ?? "UTC"
    _ = try zones.zone(named: zone)
    var reader = CrontabReader(isSystem: arguments.has(.ofSystem)) { name in
      (try? zones.zone(named: name)) != nil
    }
    reader.read(try crontab(at: path))
    let settings = CrontabImport(
      zone: zone, taken: Set(ProgramJobs.catalogue.jobs.map(\.name.text)),
      knowsUser: { Host.knows(user: $0) })
    let name = path == "-" ? "standard input" : path
    try console.write(settings.settings(of: reader, from: name))
    guard !reader.faults.isEmpty else { return .done }
    throw CrontabImport.LeftOut(file: name, faults: reader.faults)
  }

  private static func crontab(at path: String) throws(CrontabImport.Unreadable) -> String {
    do throws(FileText.Unreadable) {
      return try FileText.read(path == "-" ? "/dev/stdin" : path, atMost: 1 << 20)
    } catch {
      throw CrontabImport.Unreadable(path: path, reason: error.description)
    }
  }
}

extension CrontabImport {
  /// Lines of a crontab that are not among the settings.
  struct LeftOut: EndingError {
    let file: String
    let faults: [CrontabFault]

    var lines: [String] {
      faults.map { "\(file):\($0.position.line):\($0.position.column): \($0.reason)" }
        + [description]
    }
    var description: String {
      faults.count == 1 ? "1 line is left out" : "\(faults.count) lines are left out"
    }
    var exitCode: ExitCode { .badData }
  }

  /// A crontab that cannot be read.
  struct Unreadable: EndingError {
    let path: String
    let reason: String

    var description: String { "cannot read '\(path)': \(reason)" }
    var exitCode: ExitCode { .badData }
  }
}

extension Option {
  fileprivate static let ofSystem = flag(
    "system", "each line names a user behind its schedule, as in /etc/crontab")
  fileprivate static let zoneOfCron = value(
    "zone", "ZONE", "the zone in which cron reads schedules; else that of this host")
}
