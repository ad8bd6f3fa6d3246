/// What completes `worker` in zsh, with what each word means.
enum ZshCompletions {
  static var script: String {
    """
    #compdef worker
    # Completes worker in zsh: written by 'worker completions zsh'.
    _worker() {
      local -a commands=(
    \(Command.all.map { "    \(quoted("\($0.name):\($0.summary)"))" }.joined(separator: "\n"))
      )
      if ((CURRENT == 2)); then
        _describe -t commands 'command' commands
        return
      fi
      local command=$words[2]
      shift words
      ((CURRENT--))
      case $command in
    \(Command.all.map(arm).joined(separator: "\n"))
      esac
    }
    # As a file of $fpath this is the body of the function; sourced, it tells zsh of it.
    if [[ $funcstack[1] == _worker ]]; then
      _worker "$@"
    else
      compdef _worker worker
    fi
    """
  }

  private static func arm(of command: Command) -> String {
    let words = command.words.enumerated().map { place, word in
      "\(place + 1)\(word.isOptional ? "::" : ":")\(behindColon(word.name)):\(action(word.candidates))"
    }
    let lines = (words + command.allOptions.map(option)).map { "      \(quoted($0))" }
    return "    \(command.name)) _arguments \\\n" + lines.joined(separator: " \\\n") + " ;;"
  }

  private static func option(_ option: Option) -> String {
    let help = option.help.replacing("\\", with: "\\\\").replacing("[", with: "\\[")
      .replacing("]", with: "\\]")
    let repeats = option.repeats ? "*" : ""
    guard let value = option.value, let candidates = option.candidates else {
      return "\(repeats)--\(option.name)[\(help)]"
    }
    return
      "\(repeats)--\(option.name)=[\(help)]:\(behindColon(value)):\(action(candidates))"
  }

  private static func action(_ candidates: Candidates) -> String {
    switch candidates {
    case .nothing: " "
    case .files: "_files"
    case .words(let words): "(\(words.joined(separator: " ")))"
    }
  }

  private static func behindColon(_ text: String) -> String { text.replacing(":", with: "\\:") }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: "'\\''") + "'"
  }
}
