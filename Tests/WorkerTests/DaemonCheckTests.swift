import TestSupport
import Testing

/// Whether a daemon could start, as its package asks before an upgrade, by files that a daemon reads only when it
/// needs them.
@Suite("worker daemon --check")
struct DaemonCheckTests {
  private let database: TestDatabase
  private let folder: ScratchFolder

  init() throws {
    database = try TestDatabase.migrated()
    folder = try ScratchFolder()
    try ChildProcess.run("/usr/bin/mkfifo", ["\(folder.path)/pipe"])
    try folder.write("https://example.org/secret-Vb7q\n", to: "address")
    try folder.write("ftp://example.org/secret-Vb7q\n", to: "strange")
  }

  private func worker(
    _ words: [String] = ["daemon", "--check"], settings: String, url: String = "",
    credentials: String? = nil
  ) throws -> Program {
    let file = try folder.write(
      "[database]\nurl = \"\(database.url)\(url)\"\n\(settings)\n", to: "worker.toml",
      mode: 0o644)
    var variables = ["WORKER_CONFIG": file, "TZDIR": try TestEnvironment.zoneinfo]
    variables["CREDENTIALS_DIRECTORY"] = credentials
    return try Program(words: words, variables: variables)
  }

  @Test(arguments: ["webhook", "ping"])
  func `a file that has no address to tell or to call is refused`(name: String) throws {
    for (file, reason) in [
      ("none", "no such file or directory"), ("", "is a directory"), ("pipe", "it is a named pipe"),
    ] {
      let path = "\(folder.path)/\(file)"

      let program = try worker(settings: "[notify]\n\(name)_file = \"\(path)\"")

      let sentence = "cannot read the address in '\(path)': \(reason)"
      #expect(
        program.errors.hasPrefix("worker: 'notify.\(name)_file' cannot be used: \(sentence)"),
        "\(program.errors)")
      #expect(program.exitCode == 78)
    }
    let strange = try worker(settings: "[notify]\n\(name)_file = \"\(folder.path)/strange\"")
    #expect(strange.errors.contains("/strange' cannot be used: write a URL that begins with"))
    #expect(!strange.errors.contains("Vb7q"))
    #expect(strange.exitCode == 78)
  }

  @Test func `so is one that systemd hands over`() throws {
    try folder.write("nothing\n", to: "notify_webhook")

    let program = try worker(settings: "", credentials: folder.path)

    #expect(program.errors.contains("/notify_webhook' cannot be used: write a URL"))
    #expect(program.exitCode == 78)
  }

  @Test func `addresses that can be read are well, and another host need not have them`() throws {
    let settings = "[notify]\nwebhook_file = \"\(folder.path)/address\""
    let well = try worker(settings: settings)
    let elsewhere = try worker(["check"], settings: "[notify]\nping_file = \"/nowhere/ping\"")

    #expect(well.exitCode == 0 && well.errors.isEmpty, "\(well.errors)")
    #expect(elsewhere.exitCode == 0, "\(elsewhere.errors)")
  }

  /// Settings of webhooks that believe the authorities of a file.
  private func pushes(_ authorities: String, transport: String = "providers") throws -> String {
    let secret = try folder.write(
      "whsec_bTRya2VyLW00cmtlci1tNHJrZXItbTRya2Vy\n", to: "webhook_secret")
    return """
      [push]
      transport = "\(transport)"
      [push.webhook]
      enabled = true
      secret_file = "\(secret)"
      authorities = "\(authorities)"
      """
  }

  @Test(arguments: [["daemon", "--check"], ["check"]])
  func `authorities of a provider that cannot be read are refused, also by worker check`(
    words: [String]
  ) throws {
    for (file, reason) in [
      ("none", "no such file or directory"), ("", "is a directory"), ("pipe", "it is a named pipe"),
    ] {
      let path = "\(folder.path)/\(file)"

      let program = try worker(words, settings: pushes(path))

      #expect(
        program.errors.hasPrefix(
          "worker: 'push.webhook.authorities' cannot be used: cannot read '\(path)': \(reason)"),
        "\(program.errors)")
      #expect(program.exitCode == 78)
    }
    let well = try worker(words, settings: pushes("\(folder.path)/address"))
    #expect(well.exitCode == 0, "\(well.errors)")
    let unused = try worker(words, settings: pushes("/nowhere/ca", transport: "log"))
    #expect(unused.exitCode == 0, "\(unused.errors)")
  }

  @Test func `a file of libpq that is not there is refused, though libpq does without`() throws {
    let program = try worker(settings: "", url: " sslrootcert=\(folder.path)/none")

    let sentence = "cannot read the file of 'sslrootcert': No such file or directory"
    #expect(program.errors == "worker: \(sentence)\n")
    #expect(program.exitCode == 78)
  }
}
