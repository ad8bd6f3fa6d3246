import TestSupport
import Testing

@testable import WorkerProgram

@Suite("worker push test refuses")
struct PushTestRefusalTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func worker(
    _ words: [String], settings: String = "", variables: [String: String] = [:]
  ) throws -> Program {
    let file = try folder.write(settings, to: "worker.toml", mode: 0o644)
    let own = ["WORKER_CONFIG": file, "TZDIR": try TestEnvironment.zoneinfo]
    return try Program(
      words: ["push", "test"] + words, variables: own.merging(variables) { $1 })
  }

  private static let help = "; 'worker push --help' shows what can be written"

  @Test(
    arguments: [
      ([], "'--device TOKEN' is missing\(help)", 64),
      (
        ["--device", "a1", "--user", "7"], "'--user': write --device or --user, not both\(help)", 64
      ),
      (["--device", ""], "'--device ': write the token of a device\(help)", 64),
      (
        ["--device", "a1", "--provider", "sms"],
        "'--provider sms': write apns, fcm or webhook\(help)", 64
      ),
      (
        ["--device", "a1", "--environment", "test"],
        "'--environment test': write sandbox or production\(help)", 64
      ),
      (
        ["--user", "7", "--environment", "sandbox"],
        "'--environment': a learner's device has its own: leave it out\(help)", 64
      ),
      (
        ["--device", "a1b2"], "apns is not enabled: write 'enabled = true' below [push.apns]", 78
      ),
      (["--device", "a:1"], "fcm is not enabled: write 'enabled = true' below [push.fcm]", 78),
      (
        ["--device", "a1b2", "--environment", "production"],
        "apns cannot only validate a push: it would appear on the device 85337816d263: write --deliver to send it"
          + " all the same", 75
      ),
    ] as [([String], String, Int32)])
  func `what it cannot send`(words: [String], message: String, code: Int32) throws {
    let program = try worker(words)

    #expect(program.errors == "worker: \(message)\n")
    #expect(program.exitCode == code)
  }

  @Test(arguments: [
    ("a1 b2", "apns", "the token is none of APNs: an even number of hexadecimal digits"),
    ("a b", "fcm", "the token is none of FCM: letters, digits, ':', '-' and '_'"),
    ("http://hooks.example/", "webhook", "its address is no URL that begins with https://"),
  ])
  func `before anybody is asked what can be no device`(
    token: String, provider: String, reason: String
  ) throws {
    let scene = try PushScene()
    let program = try worker(
      ["--device", token, "--provider", provider, "--deliver"], settings: scene.settings)

    #expect(program.output.contains("\nserver   none was asked\n"))
    #expect(program.output.contains("\noutcome  refused for this device: \(reason)\n"))
    #expect(!program.output.contains(token) && program.exitCode == 1)
  }

  @Test(arguments: [
    ("https://10.0.0.1/", "its address leads to a private address"),
    ("https://[::ffff:10.0.0.1]/", "its address leads to an IPv4 address as IPv6"),
    ("https://localhost/", "its address leads to this host"),
    ("https://hooks.example:444/", "its address has the port 444, which is not allowed"),
  ])
  func `a webhook that leads into our own network`(url: String, reason: String) throws {
    try folder.write("whsec_bTRya2VyLW00cmtlci1tNHJrZXItbTRya2Vy\n", to: "secret")
    let program = try worker(
      ["--device", url, "--deliver"],
      settings: "[push.webhook]\nenabled = true\nsecret_file = \"\(folder.path)/secret\"\n")

    #expect(program.output.contains("\nserver   none was asked\n"))
    #expect(program.output.contains("\noutcome  refused: \(reason)\n"), "\(program.output)")
    #expect(program.exitCode == 1)
  }

  @Test func `what a server that is not there did not get is not sent`() throws {
    let scene = try PushScene()
    let settings = scene.settings.replacing("localhost:\(scene.port)", with: "localhost:1")

    let program = try worker(["--device", "a1b2"], settings: settings)

    #expect(program.output.contains(/\n< no answer, \d+ ms\n/))
    #expect(program.output.contains("\noutcome  not sent: cannot connect to the server: "))
    #expect(program.exitCode == 1)
  }

  @Test func `the token that standard input has is in no list of processes`() throws {
    let scene = try PushScene()
    let file = try folder.write(scene.settings, to: "worker.toml", mode: 0o644)
    let program = try Program(
      shell: "echo a1b2 | \"$PROGRAM\" push test --device -",
      variables: [
        "WORKER_CONFIG": file, "TZDIR": TestEnvironment.zoneinfo, "PATH": "/usr/bin:/bin",
      ])

    #expect(program.output.hasPrefix("device   85337816d263, at the sandbox of apns\n"))
    #expect(program.exitCode == 0)
  }
}
