extension Command {
  private static let shell = Word(
    name: Shell.allCases.map(\.rawValue).joined(separator: "|"), help: "the shell it is for")

  /// Prints what completes `worker` in a shell.
  static let completions: Command = Command(
    name: "completions",
    summary: "print what completes worker in a shell: its commands, options and jobs",
    discussion: """
      The Debian package brings it for all three shells. Elsewhere: eval "$(worker completions bash)" in
      .bashrc, the same of zsh in .zshrc behind compinit, and 'worker completions fish | source' in
      config.fish.
      """,
    words: [shell],
    options: [],
    examples: [
      ("worker completions bash", "for bash"),
      ("worker completions zsh", "for zsh, also as a file '_worker' in $fpath"),
      ("worker completions fish", "for fish"),
    ],
    run: { arguments, console in
      guard let shell = Shell(rawValue: arguments[shell] ?? "") else {
        throw UsageError(
          .badWord(arguments[shell] ?? "", expected: "write bash, zsh or fish"),
          command: .completions)
      }
      try console.print(shell.completions)
      return .done
    })
}
