internal import Config
internal import JobKit
internal import LocalTime

extension Command {
  /// Says whether the settings can be used, without starting anything.
  static let check: Command = Command(
    name: "check",
    summary: "say everything that is wrong with the settings, without starting",
    discussion: """
      Reads the settings as the daemon would, and reports every problem with its file, line, column and
      what to write instead. When there is none it prints what the settings come to: the database, the
      zone data, and each job with its next tick. With --connect it also asks the database: it plans the
      statements of the jobs that the settings describe, and carries out none. The files that the address
      of the database names for libpq, such as 'sslrootcert', have to be there. It looks at no file of
      'password_file', 'webhook_file' and 'ping_file', and at none to which pushes are written: another
      host may have these. 'worker daemon --check' does, as the user and on the host of the daemon.

      It ends with 0, or with 78 when the settings are wrong, which options of the connection that libpq
      does not know or could never use are, too. With --connect it ends with 69 when the database cannot be
      reached, with 77 when it refuses the role, and with 75 when there is none or when it lacks migrations.
      """
        + LearningApp.whenOn(
          """


          With --connect it also refuses settings that lack a provider of pushes which learners' devices need.
          """),
    options: [.config, .connect, .json] + Option.ofTimes,
    examples: [
      ("worker check --config config/worker.toml", "before a restart or a reload"),
      ("worker check --config config/worker.toml --json", "the same for machines"),
    ],
    run: { arguments, console in
      let file = SettingsFile(arguments)
      let report = CheckReport(
        of: file, now: SystemClock.now(), asksDatabase: arguments.has(.connect))
      if arguments.has(.json) {
        try console.print(report.json.pretty)
      } else {
        try report.print(arguments, on: console)
      }
      return report.exitCode
    })
}

extension Option {
  fileprivate static let connect = flag(
    "connect", "also connect to the database and say which it is")
}
