extension Command {
  private static let explained = Word(
    name: "COMMAND", isOptional: true, help: "the command to explain; else all, in a line each")

  /// Explains a command.
  static let help: Command = Command(
    name: "help",
    summary: "explain a command, or list all of them",
    discussion: """
      'worker help COMMAND' says the same as 'worker COMMAND --help', and 'worker help' the same as
      'worker --help'.
      """,
    words: [explained],
    options: [],
    examples: [("worker help run", "what 'worker run' takes, and how it ends")],
    run: { arguments, console in
      let command = try arguments[explained].map { name in try Command.named(name) }
      try console.print(command.map(Help.page) ?? Help.overview())
      return .done
    })
}
