import Testing

@testable import WorkerProgram

@Suite("worker")
struct ProgramTests {
  @Test func `without a command it shows what there is, beside the output, and ends with 64`()
    throws
  {
    let program = try Program()

    #expect(program.errors == Help.overview() + "\n")
    #expect(program.output.isEmpty)
    #expect(program.exitCode == 64)
  }

  @Test func `the overview has each command once, below what one comes for`() throws {
    let names = Command.all.map(\.name)

    #expect(Set(names).count == names.count)
    let titles = Help.overview().matches(of: /(?m)^([a-z ]+):$/).map { String($0.1) }
    #expect(titles == Command.groups.map(\.title) + ["exit codes"])
  }

  @Test(arguments: ["--help", "-h", "help"])
  func `the overview names every command and every exit code`(word: String) throws {
    let program = try Program(word)

    for command in Command.all {
      #expect(program.output.contains("  \(command.name) "))
      #expect(program.output.contains(command.summary))
    }
    for code in ExitCode.allCases {
      #expect(program.output.contains("  \(code.rawValue) "))
      #expect(program.output.contains(code.meaning))
    }
    #expect(program.exitCode == 0)
  }

  @Test(arguments: Command.all.map(\.name))
  func `a command's help shows its options and examples, in at most 100 columns`(
    name: String
  ) throws {
    let program = try Program(name, "--help")

    let command = try Command.named(name)
    for option in command.allOptions { #expect(program.output.contains("  \(option.term)")) }
    for example in command.examples { #expect(program.output.contains("  \(example.line)\n")) }
    #expect(program.output.split(separator: "\n").allSatisfy { $0.count <= 104 })
    #expect(program.exitCode == 0)
  }

  @Test(arguments: [
    (["help", "next", "more"], "'more' is one word too many"),
    (["--version", "more"], "'more' is one word too many"),
    (["--json", "version"], "'--json' is no command: write the command first, then its options"),
    (["-x"], "'-x' is no command: write the command first, then its options"),
  ])
  func `no word is passed over`(words: [String], sentence: String) throws {
    let program = try Program(words: words)

    #expect(program.errors.hasPrefix("worker: \(sentence); 'worker "))
    #expect(program.output.isEmpty)
    #expect(program.exitCode == 64)
  }

  @Test(arguments: ["--version", "-v", "-V"])
  func `--version takes what the command takes`(option: String) throws {
    #expect(try Program(option, "--json").output == Program("version", "--json").output)
  }

  @Test(arguments: [
    ("/dev/full", "no space left on device"), ("&-", "bad file descriptor"),
  ])
  func `a result that cannot be written ends it with 74`(target: String, reason: String) throws {
    for command in ["--help", "version", "version --json", "next --schedule '0 9 * * *'"] {
      let program = try Program(shell: "(\"$PROGRAM\" \(command) >\(target))")

      #expect(program.errors == "worker: cannot write the result: \(reason)\n")
      #expect(program.exitCode == 74)
    }
  }

  @Test func `a reader who has seen enough is no failure`() throws {
    let days = "next --schedule '* * * * * *' --from 2026-01-01 --count 50000"
    let program = try Program(
      shell: "{ (\"$PROGRAM\" \(days); echo $? >&2) | head -n 1; }")

    #expect(program.errors == "0\n")
  }

  @Test(arguments: [
    (["migrate"], "status|up is missing: write 'status' to look, or 'up' to migrate"),
    (
      ["demo"],
      "data|play is missing: write 'data' to fill the database, or 'play' to let its world go on"
    ),
    (
      ["daemon", "--drain", "2d"],
      "'--drain 2d': write a duration such as 25s, of 1d at most"
    ),
  ])
  func `what is missing or too much is told with what to write`(
    words: [String], sentence: String
  ) throws {
    let program = try Program(words: words)

    #expect(
      program.errors
        == "worker: \(sentence); 'worker \(words[0]) --help' shows what can be written\n")
    #expect(program.exitCode == 64)
  }

  @Test func `help is a command like any other`() throws {
    let program = try Program("help", "help")

    #expect(program.output.contains("\nusage: worker help [COMMAND] [OPTION]…\n"))
    #expect(program.exitCode == 0)
    #expect(try Program("help", "run").output == Program("run", "--help").output)
  }

  @Test func `what the user wrote cannot command the terminal`() throws {
    let program = try Program("\u{1B}[31mred\nworker: all is well\u{9B}0m")

    #expect(
      program.errors
        == #"worker: unknown command '\u{1B}[31mred\nworker: all is well\u{009B}0m'; "#
        + "'worker --help' shows what can be written\n")
  }

  @Test func `nothing is coloured in a pipe`() throws {
    #expect(!(try Program("version").output.contains("\u{1B}")))
    #expect(!(try Program("nonsense").errors.contains("\u{1B}")))
  }
}
