/// One thing that `worker push` does.
struct PushAction: Sendable {
  let name: String

  /// What it does, as one goes on from 'to'.
  let purpose: String
  let options: [Option]
  var examples: [(line: String, shows: String)] = []
  let run: @Sendable (Arguments, Console) throws -> ExitCode
}

extension PushAction {
  /// Everything that `worker push` does.
  static let all: [PushAction] = [
    .test,
    .devices,
    .providers,
  ]

  /// The options of all of them.
  static var options: [Option] {
    all.flatMap(\.options).reduce(into: []) { options, option in
      if !options.contains(option) { options.append(option) }
    }
  }

  /// Refuses an option that only another of them takes.
  func check(_ arguments: Arguments) throws(UsageError) {
    let known = Set(options.map(\.name))
    let written = arguments.flags.union(arguments.values.keys)
    guard let other = written.filter({ !known.contains($0) && $0 != Option.help.name }).min() else {
      return
    }
    throw UsageError(
      .badWord("--\(other)", expected: "'worker push \(name)' does not take it"), command: .push)
  }
}

extension Option {
  static let learner = value("user", "LEARNER", "the learner whose devices are meant")
}

extension Arguments {
  /// The number of the learner that is named, if any.
  func learner() throws(UsageError) -> Int? {
    guard let text = self[.learner] else { return nil }
    guard let learner = Int(text) else {
      throw UsageError(
        .badValue(text, of: .learner, expected: "write the number of a learner, such as 17"),
        command: .push)
    }
    return learner
  }
}
