import TestSupport
import Testing

/// Providers of pushes on this host, for a program that is tested: Apple's and Google's by a server that refuses
/// whatever HTTP/2 forbids, Google's tokens, and webhooks.
final class PushScene {
  let folder: ScratchFolder
  let port: Int
  private let certificate: Certificate
  private let accounts: Int
  private let hooks: Int
  private let server: ChildProcess
  private let others: [ChildProcess]

  /// Starts them; each first push, and each push after it, of Apple and Google meets the fault.
  init(fault: String = "none") throws {
    folder = try ScratchFolder()
    certificate = try Certificate(for: "localhost", in: folder)
    let (files, path) = (certificate, folder.path)
    port = try FreePort.find()
    server = try Self.start(
      ".build/oracles/python/bin/python", "strict.py",
      ["\(port)", files.certificate, files.key, fault, "1"], "\(path)/pushes")
    accounts = try FreePort.find()
    let oauth = try Self.start(
      "/usr/bin/python3", "oauth.py", ["\(accounts)", Self.accessToken], "\(path)/accounts")
    let receiver = try ChildProcess(
      "/usr/bin/python3", ["-u", Self.file("webhook.py"), files.certificate, files.key, path])
    try eventually(within: .seconds(120)) { (try? TextFile.read("\(path)/port")) != nil }
    hooks = try #require(Int(try TextFile.read("\(path)/port")))
    others = [oauth, receiver]
    try makeKeys()
  }

  /// What Google's pushes are sent with.
  static let accessToken = "m4rker-access-token"

  private static func file(_ name: String) -> String {
    "/" + (#filePath.split(separator: "/").dropLast(3) + ["Tests", "push"]).joined(separator: "/")
      + "/\(name)"
  }

  private static func start(
    _ python: String, _ name: String, _ words: [String], _ output: String
  ) throws -> ChildProcess {
    let process = try ChildProcess(python, ["-u", file(name)] + words, output: output)
    try eventually(within: .seconds(120)) { try TextFile.read(output).contains("ready") }
    return process
  }

  /// Keys of all three providers, those of Apple and Google made by OpenSSL's own program.
  private func makeKeys() throws {
    let genpkey = ["genpkey", "-out"]
    try ChildProcess.run(
      "/usr/bin/openssl",
      genpkey + ["\(folder.path)/apns_key", "-algorithm", "EC"]
        + ["-pkeyopt", "ec_paramgen_curve:P-256"])
    try ChildProcess.run(
      "/usr/bin/openssl",
      genpkey + ["\(folder.path)/rsa", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"])
    try ChildProcess.run("/bin/chmod", ["600", "\(folder.path)/apns_key"])
    let key = try TextFile.read("\(folder.path)/rsa").split(separator: "\n")
      .joined(separator: "\\n")
    try folder.write(
      """
      {"type": "service_account", "project_id": "learning-app", "private_key_id": "m4rker-key-id",
      "private_key": "\(key)\\n", "client_email": "m4rker@learning-app.example",
      "token_uri": "http://127.0.0.1:\(accounts)/token"}
      """, to: "fcm_account")
    try folder.write("whsec_bTRya2VyLW00cmtlci1tNHJrZXItbTRya2Vy\n", to: "webhook_secret")
  }

  /// The settings by which pushes come here.
  var settings: String {
    let way = """
      server = "localhost:\(port)"
      authorities = "\(certificate.authority)"
      """
    return """
      [push]
      transport = "providers"
      [push.apns]
      enabled = true
      team = "TEAM123456"
      key_id = "KEY1234567"
      topic = "org.example.learning"
      key_file = "\(folder.path)/apns_key"
      \(way)
      [push.fcm]
      enabled = true
      account_file = "\(folder.path)/fcm_account"
      \(way)
      [push.webhook]
      enabled = true
      secret_file = "\(folder.path)/webhook_secret"
      ports = "\(hooks)"
      networks = "127.0.0.0/8 ::1/128"
      authorities = "\(certificate.authority)"

      """
  }

  /// The URL of a webhook that answers as the path says.
  func webhook(_ path: String) -> String { "https://localhost:\(hooks)\(path)" }

  /// What the keys are made of, so that it can be looked for.
  var secrets: [String] {
    get throws {
      let keys = try ["apns_key", "rsa"].flatMap { name in
        try TextFile.read("\(folder.path)/\(name)").split(separator: "\n")
          .filter { !$0.hasPrefix("-") }.map { String($0.prefix(40)) }
      }
      return keys + ["m4rker", "bTRya2Vy"]
    }
  }

  /// Ends the server of Apple and Google; returns what it has seen, as JSON.
  func seen() throws -> String {
    server.send(15)
    try server.status(within: .seconds(120))
    return try TextFile.read("\(folder.path)/pushes")
  }
}
