internal import Config

extension Command {
  private static let action = Word(name: "providers", help: "'providers' to look at each of them")

  /// Looks at what brings pushes.
  static let push: Command = Command(
    name: "push",
    summary: "look at the providers that bring pushes",
    discussion: """
      'providers' asks the daemon at 'http.listen' of the settings, or at --address, for its connections to
      each provider, streams, rate, breaker, age of the token, and answers by reason, since the daemon
      began. Another daemon, on another host, has its own: ask it there.

      Without such an address, or when no daemon answers there, the ledger tells what came of the pushes of
      the last 24 hours and why others wait. It cannot know connections, rates, breakers and tokens.
      """,
    words: [action],
    options: [.config, .healthAddress, .json],
    examples: [],
    run: { arguments, console in
      guard arguments[action] == "providers" else {
        throw UsageError(
          .badWord(arguments[action] ?? "", expected: "write 'providers'"), command: .push)
      }
      let place = try HealthPlace(arguments, for: .push)
      for warning in place.warnings { console.remark(warning) }
      let answer = try ProvidersAnswer.ask(place.address, arguments)
      try console.write(arguments.has(.json) ? answer.json : answer.text)
      return .done
    })
}
