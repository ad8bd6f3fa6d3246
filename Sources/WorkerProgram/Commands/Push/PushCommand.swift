internal import LocalTime

extension Command {
  private static let action = Word(
    name: PushAction.all.map(\.name).joined(separator: "|"),
    help: PushAction.all.map { "'\($0.name)' to \($0.purpose)" }.joined(separator: "; "))

  /// Shows how pushes reach devices.
  static let push: Command = Command(
    name: "push",
    summary: "send one push to see what becomes of it, and show devices and providers",
    discussion: """
      'test' sends one push by the transport that the daemon uses, and prints the request, the answer, how
      long it took, and what the worker would do after such an answer. It needs no daemon, and writes
      nothing to the database: no push of a day is used up, and no device is invalidated. It is judged
      neither by quiet hours nor by consent. The learner's device that a push would be tried on first is
      asked, or with --device one that no learner needs to have: 'https://…' is a webhook, hexadecimal
      digits are of Apple, anything else is of Google, unless --provider says so. Write --device - to
      have the token read from standard input, where the list of processes does not show it.

      Without --deliver nothing appears on the device of a learner: Google only validates the push, Apple
      is asked at its sandbox, for sandbox builds of apps, and shows the push there. A webhook and Apple's
      devices from the shop are refused with 75 until --deliver is written. What is shown has no token of
      a device, no key and nothing that a key signed.

      'devices' lists a learner's devices in the order in which a push is tried on them, and why others
      are not tried.

      'providers' asks the daemon at 'http.listen' of the settings, or at --address, for its connections to
      each provider, streams, rate, breaker, age of the token, and answers by reason, since the daemon
      began. Another daemon, on another host, has its own: ask it there. Without such an address, or when
      no daemon answers there, the ledger tells what came of the pushes of the last 24 hours and why
      others wait. It cannot know connections, rates, breakers and tokens.

      'test' ends with 0 when the provider took the push, with 1 when it did not or nobody knows, with 65
      when there is no such learner or device, with 75 when --deliver is missing, and with 78 when the
      provider is not enabled or its key cannot be used.
      """,
    words: [action],
    options: PushAction.options,
    examples: PushAction.all.flatMap(\.examples),
    run: { arguments, console in
      let word = arguments[action] ?? ""
      guard let chosen = PushAction.all.first(where: { $0.name == word }) else {
        let names = PushAction.all.map { "'\($0.name)'" }
        throw UsageError(
          .badWord(word, expected: "write \(names.joined(separator: " or "))"), command: .push)
      }
      try chosen.check(arguments)
      return try chosen.run(arguments, console)
    })
}
