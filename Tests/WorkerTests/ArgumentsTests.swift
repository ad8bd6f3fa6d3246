import Testing

@testable import WorkerProgram

@Suite("Arguments")
struct ArgumentsTests {
  private let zone = Option.value("zone", "ZONE", "the zone")

  private var command: Command {
    Command(
      name: "show", summary: "", discussion: "", options: [zone, .json], examples: [],
      run: { _, _ in .done })
  }

  @Test(arguments: [
    ["--zone", "Asia/Seoul", "--json"],
    ["--json", "--zone=Asia/Seoul"],
  ])
  func `an option's value stands behind it or is attached with an equals sign`(
    words: [String]
  ) throws {
    let arguments = try Arguments(words[...], of: command)

    #expect(arguments[zone] == "Asia/Seoul")
    #expect(arguments.has(.json))
  }

  @Test func `a value may begin with a dash or hold an equals sign`() throws {
    #expect(try Arguments(["--zone", "-x"], of: command)[zone] == "-x")
    #expect(try Arguments(["--zone=a=b"], of: command)[zone] == "a=b")
  }

  @Test(arguments: ["--help", "-h"])
  func `every command takes --help`(word: String) throws {
    #expect(try Arguments([word], of: command).has(.help))
  }

  @Test(arguments: [
    (["--zonn", "x"], "unknown option '--zonn': did you mean '--zone'?"),
    (["--quite-another"], "unknown option '--quite-another'"),
    (["--job"], "unknown option '--job'"),
    (["-z"], "unknown option '-z'"),
    (["extra"], "'extra' is one word too many"),
    (["--json=yes"], "'--json' takes no value"),
    (["--zone"], "'--zone' needs a value: write '--zone ZONE'"),
    (["--zone", "a", "--zone", "b"], "'--zone' is written twice: write it once"),
  ])
  func `what cannot be understood is refused with what to write`(
    words: [String], sentence: String
  ) {
    let error = #expect(throws: UsageError.self) { try Arguments(words[...], of: command) }

    let joint = sentence.hasSuffix("?") ? " " : "; "
    let help = "'worker show --help' shows what can be written"
    #expect(error?.description == sentence + joint + help)
  }

  @Test func `a letter stands for the option of a count`() throws {
    #expect(try Arguments(["-n", "3"], of: .next)[.count] == "3")
    #expect(try Arguments(["-n=3"], of: .next)[.count] == "3")
  }

  @Test(arguments: ["log", "logs"])
  func `whoever asks for the log hears where it is`(name: String) {
    let error = #expect(throws: UsageError.self) { try Command.named(name) }

    #expect(
      error?.description
        == "unknown command '\(name)': systemd keeps the log of a daemon: 'journalctl -u worker'; "
        + "'worker --help' shows what can be written")
  }

  @Test func `an unknown command is refused with the nearest one`() {
    let error = #expect(throws: UsageError.self) { try Command.named("chekc") }

    #expect(
      error?.description
        == "unknown command 'chekc': did you mean 'check'? "
        + "'worker --help' shows what can be written")
  }
}
