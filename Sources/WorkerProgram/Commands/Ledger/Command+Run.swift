internal import Config
internal import JobKit
internal import Ledger

extension Command {
  /// A command that asks one thing of one run, by its number, or of the runs that `several` chooses.
  ///
  /// `carryOut` says whether the ledger did it: `answer` is what to say then, `refusal` what else. The answer
  /// is about the run as it is afterwards.
  static func ofRun(
    name: String, summary: String, discussion: String, refusal: String,
    several: SeveralRuns? = nil, examples: [(line: String, shows: String)] = [],
    answer: @escaping @Sendable (Outlook) -> String,
    carryOut: @escaping @Sendable (Int, borrowing LedgerSession) throws -> Bool
  ) -> Command {
    Command(
      name: name, summary: summary, discussion: discussion,
      words: [several == nil ? .run : Word.run.optional],
      options: [.config] + (several?.options ?? []) + [.json], examples: examples,
      run: { arguments, console in
        let session = try LedgerSession.openLedger(arguments)
        if let several, let runs = try several.choose(arguments, session) {
          return try several.carryOut(on: runs, arguments, console) { run in
            guard try carryOut(run, session),
              let record = try Ledger.run(run, on: session.connection)
            else { return (false, "run \(run) \(refusal)") }
            return (true, try answer(Outlook(of: record, session)))
          }
        }
        let run = try arguments.runNumber(of: named(name))
        let isDone = try carryOut(run, session)
        guard let record = try Ledger.run(run, on: session.connection) else {
          throw NoSuchRun(number: run)
        }
        guard isDone else {
          console.complain(["run \(run) \(refusal): 'worker show \(run)' tells"])
          return .refusedForNow
        }
        let outlook = try Outlook(of: record, session)
        try console.answer(answer(outlook), outlook.json, to: arguments)
        return .done
      })
  }
}

extension Arguments {
  /// Refuses a run beside options that choose runs, and a call with neither.
  func check(choosing options: [Option], of command: Command) throws(UsageError) -> Bool {
    let written = options.first { has($0) || self[$0] != nil }
    switch (self[.run], written) {
    case (let run?, let option?):
      throw UsageError(
        .badWord(run, expected: "write a run or --\(option.name), not both"), command: command)
    case (nil, nil): throw UsageError(.missingWord(.run), command: command)
    case (_?, nil): return false
    case (nil, _?): return true
    }
  }
}
