internal import Config
internal import JobKit
internal import LocalTime

/// A page of the manual, written once for those who read it in a terminal or in a browser.
struct Manual {
  let name: String

  /// The part of the manual: 1 for commands, 5 for files.
  let section: Int

  /// What the name stands for, on the line that searches show.
  let summary: String

  let blocks: [Block]

  enum Block: Equatable {
    case heading(String)
    case subheading(String)

    /// Text to be wrapped; what stands between backticks is a thing to write.
    case paragraph(String)

    /// Lines that stand as they are.
    case lines([String])

    /// What one writes, and what that means.
    case term([String], String)
  }
}

extension Manual {
  /// Every page, by the name that `worker manual` takes.
  static let pages: [(name: String, make: @Sendable () -> Manual)] = [
    ("worker", { program }), ("worker.toml", { settings }),
  ]
}

extension String {
  /// The paragraphs of a text in which an empty line ends one.
  var paragraphs: [String] {
    split(separator: "\n", omittingEmptySubsequences: false)
      .split(separator: "").map { $0.joined(separator: " ") }
  }
}

extension Manual {
  /// The page for programs: its blocks one after the other, each with what kind it is.
  var json: JSON {
    [
      "name": .string(name), "section": .integer(section), "summary": .string(summary),
      "blocks": .array(blocks.map(Self.json)),
    ]
  }

  private static func json(of block: Block) -> JSON {
    switch block {
    case .heading(let text): ["heading": .string(text)]
    case .subheading(let text): ["subheading": .string(text)]
    case .paragraph(let text): ["paragraph": .string(text)]
    case .lines(let lines): ["lines": .array(lines.map { .string($0) })]
    case .term(let heads, let text):
      ["written": .array(heads.map { .string($0) }), "meaning": .string(text)]
    }
  }
}

extension Manual {
  /// The page for a browser.
  var markdown: String {
    let origin = "<!-- Written by 'worker manual \(name) --markdown': change that, not this. -->"
    let head = "# \(name)\n\n\(origin)\n\n\(summary.prefix(1).uppercased() + summary.dropFirst())."
    return ([head] + blocks.map(Self.text)).joined(separator: "\n\n")
  }

  private static func text(of block: Block) -> String {
    switch block {
    case .heading(let text): "## \(text)"
    case .subheading(let text): "### \(text)"
    case .paragraph(let text): text
    case .lines(let lines): lines.map { "    " + $0 }.joined(separator: "\n")
    case .term(let heads, let text):
      "- " + heads.map { "`\($0)`" }.joined(separator: "  \n  ") + "  \n  " + text
    }
  }
}

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
    let examples = command.shownExamples.map { Block.lines(["# \($0.shows)", $0.line]) }
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
    .term([Option.settingsPath], "the settings: worker.toml(5) explains all of them"),
    .term(["/etc/default/worker"], "variables for the daemon, as its unit reads them"),
    .heading("See also"),
    .paragraph("worker.toml(5), systemctl(1), journalctl(1), psql(1)"),
  ]
}
