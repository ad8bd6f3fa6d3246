import Testing

@testable import worker

@Suite("worker")
struct ProgramTests {
  @Test func `without a command it says so and ends with 64`() throws {
    let program = try Program()

    #expect(
      program.errors
        == "worker: no command is given; 'worker --help' shows what can be written\n")
    #expect(program.exitCode == 64)
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
    for option in command.allOptions { #expect(program.output.contains("  \(option.usage)")) }
    for example in command.examples { #expect(program.output.contains("  \(example.line)\n")) }
    #expect(program.output.split(separator: "\n").allSatisfy { $0.count <= 104 })
    #expect(program.exitCode == 0)
  }

  @Test func `nothing is coloured in a pipe`() throws {
    #expect(!(try Program("version").output.contains("\u{1B}")))
    #expect(!(try Program("nonsense").errors.contains("\u{1B}")))
  }
}
