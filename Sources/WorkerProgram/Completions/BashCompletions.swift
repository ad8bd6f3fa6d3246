/// What completes `worker` in bash, with or without the package bash-completion.
enum BashCompletions {
  static var script: String {
    """
    # Completes worker in bash: written by 'worker completions bash'.
    _worker() {
      local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
      local command=${COMP_WORDS[1]} options='' words='' valued='' index
      COMPREPLY=()
      # Of --option=value bash makes three words.
      if [[ $current == = ]]; then
        current=''
      elif [[ $before == = ]]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
      fi
      if ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W '\(first)' -- "$current")
        return
      fi
      case "$command $before" in
    \(values)
      esac
      case $command in
    \(commands)
      esac
      if [[ $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
        return
      fi
      # A word behind an option is its value; after the command's own word there is no other.
      for ((index = 2; index < COMP_CWORD; index++)); do
        [[ ${COMP_WORDS[index]} == [-=]* || ${COMP_WORDS[index - 1]} == = ]] && continue
        [[ " $valued " == *" ${COMP_WORDS[index - 1]} "* ]] || return
      done
      mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    }
    complete -F _worker worker
    """
  }

  private static var first: String {
    (Command.all.map(\.name) + ["--help", "--version"]).joined(separator: " ")
  }

  private static var commands: String { Command.all.map(arm).joined(separator: "\n") }

  private static func arm(of command: Command) -> String {
    let valued = command.allOptions.filter { $0.value != nil }
    return """
          \(command.name))
            options='\(written(command.allOptions))'
            valued='\(written(valued))'
            words='\(command.offered.joined(separator: " "))'
            ;;
      """
  }

  private static func written(_ options: [Option]) -> String {
    options.map { "--\($0.name)" }.joined(separator: " ")
  }

  /// What stands behind an option, for all options together of which that is the same.
  private static var values: String {
    let calls = Command.all.flatMap { command in
      command.options.compactMap { option in
        option.candidates.map { (call: "'\(command.name) --\(option.name)'", $0) }
      }
    }
    let kinds = calls.map(\.1).reduce(into: [Candidates]()) { kinds, kind in
      if !kinds.contains(kind) { kinds.append(kind) }
    }
    return kinds.map { kind in
      let same = calls.filter { $0.1 == kind }.map(\.call)
      return "    \(same.joined(separator: " | "))) \(reply(kind)); return ;;"
    }.joined(separator: "\n")
  }

  private static func reply(_ candidates: Candidates) -> String {
    switch candidates {
    case .nothing: ":"
    case .files:
      "compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- \"$current\")"
    case .words(let words):
      "mapfile -t COMPREPLY < <(compgen -W '\(words.joined(separator: " "))' -- \"$current\")"
    }
  }
}
