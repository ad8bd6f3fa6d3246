internal import LocalTime

extension Manual {
  /// worker(1), from what the commands say of themselves.
  static var program: Manual {
    Manual(
      name: "worker", section: 1, summary: Help.purpose,
      blocks: synopsis + [.heading("Commands")] + Command.all.flatMap(blocks) + ends + variables
        + files)
  }

  private static let synopsis: [Block] = [
    .heading("Synopsis"),
    .lines(["worker COMMAND [OPTION]…", "worker help [COMMAND]"]),
    .heading("Description"),
    .paragraph(
      """
      `worker daemon` decides what is due, writes every tick into a ledger in PostgreSQL, and runs the \
      jobs; any number of daemons share one ledger. The other commands look into the ledger, run one job \
      now, or ask the settings what they come to. Those that show something take `--json`.
      """),
  ]

  private static func blocks(of command: Command) -> [Block] {
    let words = command.words.map { Block.term([$0.usage], $0.help) }
    let options = command.allOptions.map { Block.term([$0.term], $0.help) }
    let examples = command.examples.map { Block.lines(["# \($0.shows)", $0.line]) }
    var blocks: [Block] = [
      .subheading("worker \(command.name)"), .paragraph("`\(command.usage)`"),
      .paragraph(command.summary.prefix(1).uppercased() + command.summary.dropFirst() + "."),
    ]
    blocks += command.discussion.paragraphs.map(Block.paragraph) + words + options
    if !examples.isEmpty { blocks += [.paragraph("For example:")] + examples }
    return blocks
  }

  private static var ends: [Block] {
    [.heading("Exit status")]
      + ExitCode.allCases.map { .term(["\($0.rawValue)"], $0.meaning) }
  }

  private static let variables: [Block] = [
    .heading("Environment"),
    .term(["WORKER_CONFIG"], "the file of settings, unless `--config` names one"),
    .term(["WORKER_DATABASE_URL"], "where the database is, whatever the settings say"),
    .term(["WORKER_LOG_FORMAT"], "how a line of the log looks, whatever the settings say"),
    .term(
      ["CREDENTIALS_DIRECTORY"],
      "the folder in which `database_password` is looked for, as systemd sets it"),
    .term(["TZDIR"], "the folder of zone files, unless the settings name one"),
    .term(["NO_COLOR"], "set to anything: no colours on a terminal"),
    .term(["PGPASSFILE"], "and what else libpq reads, where the settings leave it open"),
  ]

  private static let files: [Block] = [
    .heading("Files"),
    .term([SettingsFile.defaultPath], "the settings: worker.toml(5) explains all of them"),
    .term(["/etc/default/worker"], "variables for the daemon, as its unit reads them"),
    .heading("See also"),
    .paragraph("worker.toml(5), systemctl(1), journalctl(1), psql(1)"),
  ]
}
