/// The texts of `worker --help` and `worker COMMAND --help`, from what the commands say of themselves.
enum Help {
  /// What the program does, as one goes on from its name.
  static let purpose = "runs scheduled batch jobs against PostgreSQL"

  /// The overview: what there is, and what the exit codes mean.
  static func overview() -> String {
    let widest = Command.all.map(\.name.count).max() ?? 0
    let groups = Command.groups.map { title, commands in
      "\(title):\n" + columns(commands.map { ($0.name, $0.summary) }, atLeast: widest)
    }
    let codes = ExitCode.allCases.map { (String($0.rawValue), $0.meaning) }
    return """
      worker \(purpose).

      usage: worker COMMAND [OPTION]…

      \(groups.joined(separator: "\n\n"))

      'worker COMMAND --help' explains one of them, with examples.

      exit codes:
      \(columns(codes))
      """
  }

  /// All that one command takes, with examples.
  static func page(of command: Command) -> String {
    let options =
      command.words.map { ($0.usage, $0.help) } + command.allOptions.map { ($0.term, $0.help) }
    let examples = command.shownExamples.map { "  # \($0.shows)\n  \($0.line)" }
    return """
      worker \(command.name): \(command.summary)

      usage: \(command.usage)

      \(command.discussion)

      options:
      \(columns(options))
      """ + (examples.isEmpty ? "" : "\n\nexamples:\n" + examples.joined(separator: "\n\n"))
  }

  private static let width = 100

  private static func columns(
    _ rows: [(left: String, right: String)], atLeast least: Int = 0
  ) -> String {
    let widest = max(least, rows.map(\.left.count).max() ?? 0)
    return rows.map { left, right in
      let indent = String(repeating: " ", count: widest + 4)
      let lines = wrapped(right, to: width - widest - 4)
      return "  \(left)" + String(repeating: " ", count: widest - left.count + 2)
        + lines.joined(separator: "\n" + indent)
    }.joined(separator: "\n")
  }

  /// The text in lines of so many columns at most, unless a word is longer.
  static func wrapped(_ text: String, to width: Int) -> [String] {
    text.split(separator: " ").reduce(into: [String]()) { lines, word in
      guard let last = lines.last, last.count + 1 + word.count <= width else {
        lines.append(String(word))
        return
      }
      lines[lines.count - 1] = "\(last) \(word)"
    }
  }
}
