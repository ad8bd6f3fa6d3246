import Glibc
import TestSupport
import Testing

@Suite("Trying whether messages arrive")
struct NotifyCommandTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func notify(_ settings: String, _ words: String...) throws -> Program {
    let file = try folder.write("[notify]\n\(settings)\n", to: "worker.toml")
    return try Program(
      words: ["notify", "--test"] + words,
      variables: ["WORKER_CONFIG": file, "TZDIR": TestEnvironment.zoneinfo, "USER": "ana"])
  }

  @Test func `each way says what came of it`() throws {
    let receiver = try WebReceiver()
    let url = "http://127.0.0.1:\(receiver.port)/the-secret"

    let both = try notify("command = [\"/bin/cat\"]\nwebhook = \"\(url)\"")
    try receiver.answer(403)
    let none = try notify("command = [\"/bin/false\"]\nwebhook = \"\(url)\"")

    #expect(both.exitCode == 0)
    #expect(
      both.output == """
        command: /bin/cat: told
        webhook: http://127.0.0.1:\(receiver.port)/…: told

        """)
    #expect(none.exitCode == 1)
    #expect(
      none.output == """
        command: /bin/false: not told: it ended with 1
        webhook: http://127.0.0.1:\(receiver.port)/…: not told: 127.0.0.1:\(receiver.port) answers 403

        """)
    #expect(receiver.requests.allSatisfy { $0.contains("a test: messages of the worker arrive") })
  }

  @Test func `each test has an id of its own, which is none of the ledger's`() throws {
    let command = "command = [\"/bin/sh\", \"-c\", \"cat >>\(folder.path)/told\"]"

    let trials = try [notify(command), notify(command)]

    let ids = try TextFile.read("\(folder.path)/told").matches(of: /"id": ?(-\d+),/)
      .map { String($0.output.1) }
    #expect(trials.map(\.exitCode) == [0, 0])
    #expect(ids.count == 2 && Set(ids).count == 2)
  }

  @Test func `for machines it is JSON`() throws {
    let program = try notify("command = [\"/bin/true\"]", "--json")

    #expect(
      program.output == """
        [
          {
            "channel": "command",
            "to": "/bin/true",
            "told": true,
            "why_not": null
          }
        ]

        """)
  }

  @Test func `an address in a file that is none is not shown`() throws {
    let file = try folder.write("http://example.com/the-secret\n", to: "webhook")

    let program = try notify("webhook_file = \"\(file)\"")

    #expect(program.exitCode == 1)
    #expect(
      program.output == """
        webhook: \(file): not told: the first line of '\(file)' cannot be used: write a URL that begins \
        with https://, or with http:// and is of this machine

        """)
  }

  @Test func `a receiver whose certificate nobody vouches for is told nothing`() throws {
    let identity = try Certificate(for: "localhost", in: try ScratchFolder())
    let receiver = try WebReceiver(identity: identity)

    let program = try notify("webhook = \"https://localhost:\(receiver.port)/\"")

    #expect(program.exitCode == 1)
    #expect(program.output.contains("not told: localhost:\(receiver.port): SSL peer certificate"))
    #expect(receiver.requests.isEmpty)
  }

  @Test func `a program that is not there says so`() throws {
    let program = try notify("command = [\"/nowhere/tell\"]")

    #expect(
      program.output
        == "command: /nowhere/tell: not told: cannot be started: no such file or directory\n")
  }

  @Test func `a program is ended by a pipe that breaks, as the worker is not`() throws {
    let script = try folder.write(
      "#!/bin/sh\nsed -n 's/^SigIgn:.//p' /proc/self/status >\(folder.path)/ignored\n", to: "tell",
      mode: 0o755)

    let program = try notify("command = [\"\(script)\"]")

    #expect(program.exitCode == 0, "\(program.output)")
    let written = try TextFile.read("\(folder.path)/ignored").filter(\.isHexDigit)
    let ignored = try #require(UInt64(written, radix: 16))
    #expect(ignored & (1 << (SIGPIPE - 1)) == 0, "\(written)")
  }

  @Test func `when nobody is to be told it says how to change that`() throws {
    let program = try notify("")

    #expect(program.exitCode == 78)
    #expect(
      program.errors
        == "worker: [notify] of the settings names no receiver: write 'command', 'webhook' or"
        + " 'webhook_file' there\n")
  }
}
