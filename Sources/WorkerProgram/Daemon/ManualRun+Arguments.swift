internal import JobKit
internal import Ledger

extension ManualRun {
  /// What the run is asked to do differently.
  ///
  /// What the job does not know is refused: it would leave it out in silence, and whoever wrote it would take
  /// the run for the one that was meant.
  func namedArguments() throws(UsageError) -> [String: String] {
    let known = ProgramJobs.catalogue(of: session.loaded)[job.name]?.arguments ?? []
    var values: [String: String] = [:]
    for text in arguments.all(.argument) {
      let pair = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map(String.init)
      guard pair.count == 2, !pair[0].isEmpty else {
        throw Self.unreadable(text, expected: "write NAME=VALUE")
      }
      guard let argument = known.first(where: { $0.name == pair[0] }) else {
        throw Self.unreadable(text, expected: "'\(job.name)' \(Self.words(for: known))")
      }
      guard argument.takes(pair[1]) else {
        throw Self.unreadable(text, expected: "write \(argument.usage)")
      }
      guard values[pair[0]] == nil else {
        throw Self.unreadable(text, expected: "'\(pair[0])' is written twice: write it once")
      }
      values[pair[0]] = pair[1]
    }
    return values
  }

  private static func unreadable(_ text: String, expected: String) -> UsageError {
    UsageError(.badValue(text, of: .argument, expected: expected), command: .run)
  }

  /// What a job knows, as one goes on from its name.
  private static func words(for known: [JobArgument]) -> String {
    guard !known.isEmpty else { return "takes no argument" }
    return "takes " + known.map { "\($0.usage) (\($0.meaning))" }.joined(separator: ", ")
  }
}
