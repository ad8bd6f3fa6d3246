/// What completes `worker` in fish, with what each word means.
enum FishCompletions {
  static var script: String {
    """
    # Completes worker in fish: written by 'worker completions fish'.
    function __worker_command_is
        set --local words (commandline --tokenize --cut-at-cursor --current-process)
        test (count $words) -gt 1; and contains -- $words[2] $argv
    end
    function __worker_has_no_command
        test (count (commandline --tokenize --cut-at-cursor --current-process)) -eq 1
    end
    complete --command worker --no-files
    \(Command.all.map(command).joined(separator: "\n"))
    \(Command.all.flatMap(lines).joined(separator: "\n"))
    """
  }

  private static func command(_ command: Command) -> String {
    "complete --command worker --condition __worker_has_no_command --arguments \(command.name)"
      + " --description \(quoted(command.summary))"
  }

  private static func lines(of command: Command) -> [String] {
    let words = command.offered
    let offered =
      words.isEmpty
      ? [] : [line(of: command.name, "--arguments \(quoted(words.joined(separator: " ")))")]
    return offered + command.allOptions.map { line(of: command.name, said($0)) }
  }

  private static func line(of command: String, _ rest: String) -> String {
    "complete --command worker --condition '__worker_command_is \(command)' \(rest)"
  }

  private static func said(_ option: Option) -> String {
    let value =
      switch option.candidates {
      case nil: ""
      case .nothing: " --exclusive"
      case .files: " --require-parameter --force-files"
      case .words(let words):
        " --exclusive --arguments \(quoted(words.joined(separator: " ")))"
      }
    return "--long-option \(option.name)\(value) --description \(quoted(option.help))"
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
