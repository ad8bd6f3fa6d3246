internal import TestSupport
import Testing

@Suite("Keys of push providers")
struct PushKeysTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func check(_ text: String, credentials: Bool = false, _ words: String...) throws
    -> Program
  {
    let file = try folder.write(
      "[push]\ntransport = \"providers\"\n\(text)", to: "worker.toml", mode: 0o644)
    var variables = ["TZDIR": try TestEnvironment.zoneinfo]
    if credentials { variables["CREDENTIALS_DIRECTORY"] = folder.path }
    return try Program(words: ["check", "--config", file] + words, variables: variables)
  }

  private let apple = """
    [push.apns]
    enabled = true
    team = "TEAM123456"
    key_id = "KEY1234567"
    topic = "org.example.learning"

    """

  private func makeKey(mode: String = "600") throws -> String {
    let path = "\(folder.path)/push_apns_key"
    try ChildProcess.run(
      "/usr/bin/openssl",
      ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", path])
    try ChildProcess.run("/bin/chmod", [mode, path])
    return path
  }

  @Test func `a key that can be used is no problem, from a file or as a credential`() throws {
    let path = try makeKey()

    #expect(try check(apple + "key_file = \"\(path)\"\n").exitCode == 0)
    #expect(try check(apple, credentials: true).exitCode == 0)
  }

  @Test func `a key that others may read is refused`() throws {
    let path = try makeKey(mode: "644")

    let program = try check(apple + "key_file = \"\(path)\"\n")

    #expect(
      program.errors
        == "worker: 'push.apns.key_file' cannot be used: the key file '\(path)' has mode 0644, so others than its "
        + "owner may use it: make it 0600, and make a new key where others could have read it\n")
    #expect(program.exitCode == 78)
  }

  @Test func `what is missing is named`() throws {
    let team = try check("[push.apns]\nenabled = true\n")
    let key = try check(apple)
    let account = try check("[push.fcm]\nenabled = true\n", credentials: true)

    #expect(
      team.errors
        == "worker: 'push.apns.team' is empty: [push.apns] is enabled, and Apple wants to know it\n"
    )
    #expect(
      key.errors
        == "worker: 'push.apns.key_file' is empty, and $CREDENTIALS_DIRECTORY is not set: name the file, or write"
        + " LoadCredential=push:/etc/worker/credentials/push into the unit\n")
    #expect(
      account.errors
        == "worker: 'push.fcm.account_file' cannot be used: there is no key file '\(folder.path)/push_fcm_account'\n"
    )
  }

  @Test func `a key that is none is refused without a word of it`() throws {
    let path = try folder.write("MARKED-SECRET", to: "push_webhook_secret")
    let text = "[push.webhook]\nenabled = true\nsecret_file = \"\(path)\"\n"

    for words in [[], ["--json"]] {
      let program = try words.isEmpty ? check(text) : check(text, "--json")
      #expect(program.exitCode == 78)
      #expect((program.errors + program.output).contains("its line 1 is no secret"))
      #expect(!(program.errors + program.output).contains("MARKED"))
    }
  }

  @Test func `settings of a provider are refused in their place`() throws {
    let program = try check(
      """
      [push.apns]
      enabled = "yes"
      priority = 7
      [push.webhook]
      ports = "https"
      networks = "10.0.0.1/8"
      [push.sms]
      """)

    let file = folder.path + "/worker.toml"
    for place in ["4:11", "5:12", "7:9", "8:12", "9:"] {
      #expect(program.errors.contains("\(file):\(place)"), "\(program.errors)")
    }
    #expect(program.errors.contains("'push.apns.enabled' is 'yes': write true or false"))
    #expect(program.exitCode == 78)
  }
}
