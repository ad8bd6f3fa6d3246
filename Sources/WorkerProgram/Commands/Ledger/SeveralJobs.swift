internal import Config
internal import JobKit
internal import Ledger
internal import Settings

extension Word {
  static let jobs = Word(
    name: "JOB", isOptional: true, repeats: true, help: "the name of a job, in any spelling")
}

extension Option {
  static let everyJob = flag("all", "in place of names: every job")
}

extension LedgerSession {
  /// The jobs that a call names, each once, or with --all those that the settings or the ledger know.
  func jobs(_ arguments: Arguments, of command: Command) throws -> [JobName] {
    let names = arguments.all(.jobs)
    guard arguments.has(.everyJob) else {
      guard !names.isEmpty else { throw UsageError(.missingWord(.job), command: command) }
      return try names.map { try job(named: $0, of: command).name }.eachOnce
    }
    if let name = names.first {
      throw UsageError(.badWord(name, expected: "write a job or --all, not both"), command: command)
    }
    let known = try Ledger.jobs(on: connection).map(\.name)
    return (settings.jobs.map(\.name) + known).eachOnce
  }
}

extension Console {
  /// Does something for each job and says so at once: a sentence each, or with --json what machines read,
  /// as a list when more than one could be asked for.
  func answer(
    each jobs: [JobName], _ arguments: Arguments,
    by carryOut: (JobName) throws -> (sentence: String, json: JSON)
  ) throws {
    var members: [JSON] = []
    for job in jobs {
      let (sentence, json) = try carryOut(job)
      members.append(json)
      if !arguments.has(.json) { try answer(sentence, json, to: arguments) }
    }
    guard arguments.has(.json) else { return }
    let isOne = !arguments.has(.everyJob) && arguments.all(.jobs).count == 1
    try print((isOne ? members.first ?? .null : .array(members)).pretty)
  }
}

extension [JobName] {
  /// The names in their order, each where it stands first.
  fileprivate var eachOnce: [JobName] {
    var seen: Set<JobName> = []
    return filter { seen.insert($0).inserted }
  }
}
