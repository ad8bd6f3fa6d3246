internal import JobKit
internal import TestSupport
import Testing

@testable import WorkerProgram

/// What each shell offers in place of the last word of a line; the shells themselves are asked.
@Suite("worker completions")
struct CompletionsTests {
  private static let jobs = ProgramJobs.catalogue.jobs.map(\.name.text)
  private static let states = [
    "waiting", "due", "held", "running", "succeeded", "failed", "cancelled", "skipped", "missed",
    "collapsed",
  ]

  /// A line as far as it is typed, and all that may stand there.
  private static let lines: [(typed: String, offered: [String])] = [
    ("worker ru", ["run", "runs"]),
    ("worker runs --st", ["--state"]),
    ("worker runs --state ", states),
    ("worker runs --state fa", ["failed"]),
    ("worker backfill deliver_pushes --reprocess ", ["all", "failed", "missing"]),
    ("worker next --dst ", ["every_occurrence", "once", "skip_missing"]),
    ("worker run ", jobs),
    ("worker pause --reason x de", ["deliver_pushes", "detect_streak_breaks"]),
    ("worker migrate ", ["status", "up"]),
    ("worker completions ", ["bash", "fish", "zsh"]),
    ("worker help de", ["demo"]),
    ("worker check --config /etc/debian_v", ["/etc/debian_version"]),
    ("worker run --for ", []),
  ]

  @Test(arguments: lines)
  func `bash offers what may stand there`(typed: String, offered: [String]) throws {
    let found = try Program(
      shell: """
        { bash --norc -c 'eval "$("$PROGRAM" completions bash)"; shift $(($# - 1)); \
        read -ra COMP_WORDS <<<"$1"; [[ $1 == *" " ]] && COMP_WORDS+=(""); \
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _worker; printf "%s\\n" "${COMPREPLY[@]}"' bash "$1"; }
        """, words: [typed], variables: ["PATH": "/usr/bin:/bin"])

    #expect(found.errors.isEmpty)
    #expect(found.candidates == Set(offered))
  }

  @Test func `bash offers the value in --option=value, which it reads as three words`() throws {
    let found = try Program(
      shell: """
        { bash --norc -c 'eval "$("$PROGRAM" completions bash)"; \
        COMP_WORDS=(worker runs --state = fa) COMP_CWORD=4; _worker; echo "${COMPREPLY[@]}"; \
        COMP_WORDS=(worker runs --state =) COMP_CWORD=3; _worker; echo "${COMPREPLY[@]}"'; }
        """, variables: ["PATH": "/usr/bin:/bin"])

    #expect(found.output == "failed\n\(Self.states.joined(separator: " "))\n")
  }

  @Test(arguments: lines)
  func `fish offers what may stand there`(typed: String, offered: [String]) throws {
    // It writes to its user's home, even when it is told to leave the settings alone.
    let home = try ScratchFolder()
    let found = try Program(
      shell: """
        { fish --no-config -c '"$PROGRAM" completions fish | source; complete -C "$argv"' "$1"; }
        """, words: [typed], variables: ["PATH": "/usr/bin:/bin", "HOME": home.path])

    #expect(found.candidates == Set(offered))
  }

  @Test(arguments: lines)
  func `zsh offers what may stand there`(typed: String, offered: [String]) throws {
    let folder = try ScratchFolder()
    _ = try folder.write(Self.zshrc, to: ".zshrc", mode: 0o644)
    let found = try Program(
      shell: """
        { "$PROGRAM" completions zsh >"$ZDOTDIR/completions"; \
        TYPED=$1 script -qec 'zsh -i' /dev/null </dev/null >&2; cat "$ZDOTDIR/found"; }
        """, words: [typed],
      variables: ["PATH": "/usr/bin:/bin", "ZDOTDIR": folder.path, "TERM": "dumb"])

    let folders = typed.contains("/") ? "/etc/" : ""
    #expect(
      Set(found.candidates.subtracting(["etc"]).map { folders + $0 }) == Set(offered),
      "\(found.errors)")
  }

  /// Types a line, asks for what completes it, writes that down, and ends.
  private static let zshrc = """
    autoload -Uz compinit; compinit -u -D
    source $ZDOTDIR/completions
    zstyle ':completion:*' completer _complete
    : >$ZDOTDIR/found
    compadd() {
      local -a found
      builtin compadd -O found "$@"
      print -rl -- $found >>$ZDOTDIR/found
      builtin compadd "$@"
    }
    zle-line-init() {
      BUFFER=$TYPED CURSOR=$#TYPED
      zle complete-word
      BUFFER=exit
      zle accept-line
    }
    zle -N zle-line-init
    """

  @Test func `each command, option and set of words is in every shell's`() throws {
    for shell in Shell.allCases {
      for command in Command.all {
        #expect(shell.completions.contains(command.name))
        for option in command.allOptions { #expect(shell.completions.contains(option.name)) }
      }
    }
  }

  @Test func `another shell is refused`() throws {
    let program = try Program("completions", "tcsh")

    #expect(
      program.errors == "worker: 'tcsh': write bash, zsh or fish; "
        + "'worker completions --help' shows what can be written\n")
    #expect(program.exitCode == 64)
  }
}

extension Program {
  /// What a shell offers, a line for each, without what it says of them.
  fileprivate var candidates: Set<String> {
    Set(output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }.filter { $0 != "" })
  }
}
