internal import LocalTime

/// Why a command line cannot be understood, and where its help is.
struct UsageError: Error {
  let fault: Fault
  let command: Command?

  init(_ fault: Fault, command: Command?) {
    self.fault = fault
    self.command = command
  }

  enum Fault: Equatable {
    case unknownCommand(String)
    case noLogs(String)
    case ofAppThatIsOff(String)
    case optionFirst(String)
    case unknownOption(String)
    case unexpectedWord(String)
    case unexpectedValue(of: Option)
    case missingValue(of: Option)
    case writtenTwice(Option)
    case missingOption(Option)
    case secondPeriod(Option)
    case missingWord(Word)
    case unknownJob(String, nearest: String?)
    case badWord(String, expected: String)
    case badValue(String, of: Option, expected: String)
  }
}

extension UsageError: CustomStringConvertible {
  var description: String {
    if case .unknownJob = fault { return sentence }
    let help = ["worker", command?.name, "--help"].compactMap(\.self).joined(separator: " ")
    let joint = sentence.hasSuffix("?") ? " " : "; "
    return "\(sentence)\(joint)'\(help)' shows what can be written"
  }

  private var sentence: String {
    switch fault {
    case .unknownCommand(let name):
      "unknown command '\(name)'" + suggestion(for: name, in: Command.all.map(\.name))
    case .noLogs(let name):
      "unknown command '\(name)': systemd keeps the log of a daemon: 'journalctl -u worker'"
    case .ofAppThatIsOff(let name):
      "'\(name)' is a command of the app '\(LearningApp.name)', which is off: \(LearningApp.remedy)"
    case .optionFirst(let word):
      "'\(word)' is no command: write the command first, then its options"
    case .unknownOption(let word):
      "unknown option '\(word)'"
        + suggestion(
          for: String(word.drop { $0 == "-" }), in: command?.allOptions.map(\.name) ?? [],
          written: "--")
    case .unexpectedWord(let word): "'\(word)' is one word too many"
    case .unexpectedValue(let option): "'--\(option.name)' takes no value"
    case .missingValue(let option): "'--\(option.name)' needs a value: write '\(option.usage)'"
    case .writtenTwice(let option): "'--\(option.name)' is written twice: write it once"
    case .missingOption(let option): "'\(option.usage)' is missing"
    case .secondPeriod(let option): "'--\(option.name)' is one period too many: name one"
    case .missingWord(let word): "\(word.name) is missing: write \(word.help)"
    case .unknownJob(let name, let nearest):
      "there is no job '\(name)': " + (nearest.map { "did you mean '\($0)'? " } ?? "")
        + "'worker jobs' lists them"
    case .badWord(let word, let expected): "'\(word)': \(expected)"
    case .badValue(let value, let option, let expected): "'--\(option.name) \(value)': \(expected)"
    }
  }

  private func suggestion(
    for word: String, in known: [String], written mark: String = ""
  ) -> String {
    closest(to: word, in: known).map { ": did you mean '\(mark)\($0)'?" } ?? ""
  }
}
