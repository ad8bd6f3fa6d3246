internal import JobKit

extension Command {
  /// A command that asks one thing of one run, by its number.
  ///
  /// `carryOut` says whether the ledger did it: `answer` is what to say then, `refusal` what else.
  static func ofRun(
    name: String, summary: String, discussion: String, refusal: String,
    answer: @escaping @Sendable (Int) -> String,
    carryOut: @escaping @Sendable (Int, borrowing Opened) throws -> Bool
  ) -> Command {
    Command(
      name: name, summary: summary, discussion: discussion, words: [.run],
      options: [.config, .json], examples: [],
      run: { arguments, console in
        let opened = try Opened.openLedger(arguments)
        let run = try arguments.runNumber(of: named(name))
        guard try carryOut(run, opened) else {
          guard try Ledger.run(run, on: opened.connection) != nil else {
            throw NoSuchRun(number: run)
          }
          console.complain(["run \(run) \(refusal): 'worker show \(run)' tells"])
          return .refusedForNow
        }
        try console.answer(
          answer(run), ["run": .integer(run), "by": .string(Host.author)], to: arguments)
        return .done
      })
  }
}
