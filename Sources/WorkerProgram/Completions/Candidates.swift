internal import JobKit

/// What a shell can offer in place of a word.
enum Candidates: Hashable {
  case words([String])
  case files
  case nothing

  /// What the name of a word in the help stands for: `JOB`, `FILE`, or the words themselves, `status|up`.
  init(_ placeholder: String) {
    switch placeholder {
    case "JOB": self = .words(ProgramJobs.catalogue.jobs.map(\.name.text))
    case "COMMAND": self = .words(Command.all.map(\.name))
    case "FILE": self = .files
    case let text where text.contains("|"):
      self = .words(text.split(separator: "|").map(String.init))
    default: self = .nothing
    }
  }
}

extension Candidates {
  /// The words themselves, none when they are the caller's own.
  fileprivate var words: [String] {
    if case .words(let words) = self { words } else { [] }
  }
}

extension Option {
  /// What may stand behind it; nil when that is no value.
  var candidates: Candidates? {
    choices.isEmpty ? value.map(Candidates.init) : .words(choices)
  }
}

extension Word {
  var candidates: Candidates { Candidates(name) }
}

extension Command {
  /// The words that may stand behind the command's name.
  var offered: [String] {
    words.map(\.candidates).flatMap(\.words)
  }
}

/// A shell that completes what is typed.
enum Shell: String, CaseIterable {
  case bash
  case zsh
  case fish

  /// The program that completes `worker` in it.
  var completions: String {
    switch self {
    case .bash: BashCompletions.script
    case .zsh: ZshCompletions.script
    case .fish: FishCompletions.script
    }
  }
}
