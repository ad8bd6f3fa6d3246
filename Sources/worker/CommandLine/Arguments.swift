/// What was written behind a command's name, checked against what the command takes.
struct Arguments: Sendable, Equatable {
  private(set) var flags: Set<String> = []
  private(set) var values: [String: String] = [:]

  func has(_ option: Option) -> Bool { flags.contains(option.name) }

  subscript(option: Option) -> String? { values[option.name] }
}

extension Arguments {
  /// Reads `words` as options of `command`.
  init(_ words: ArraySlice<String>, of command: Command) throws(UsageError) {
    var rest = words
    while let word = rest.popFirst() {
      guard word.hasPrefix("-"), word != "-" else {
        throw UsageError(.unexpectedWord(word), command: command)
      }
      try read(word == "-h" ? "--help" : word, followedBy: &rest, of: command)
    }
  }

  private mutating func read(
    _ word: String, followedBy rest: inout ArraySlice<String>, of command: Command
  ) throws(UsageError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let attached = parts.count > 1 ? String(parts[1]) : nil
    guard let option = command.option(written: String(parts[0])) else {
      throw UsageError(.unknownOption(String(parts[0])), command: command)
    }
    guard option.value != nil else {
      guard attached == nil else {
        throw UsageError(.unexpectedValue(of: option), command: command)
      }
      flags.insert(option.name)
      return
    }
    guard let value = attached ?? rest.popFirst() else {
      throw UsageError(.missingValue(of: option), command: command)
    }
    guard values.updateValue(value, forKey: option.name) == nil else {
      throw UsageError(.writtenTwice(option), command: command)
    }
  }
}
