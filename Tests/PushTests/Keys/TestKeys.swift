import Push
import TestSupport

/// Keys that OpenSSL's own program makes, once for all tests.
enum TestKeys {
  /// A P-256 key, as Apple gives it, and the public one.
  static let apple = Result {
    try pair("ec", ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"])
  }

  /// An RSA key, as Google gives it, and the public one.
  static let google = Result {
    try pair("rsa", ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"])
  }

  /// A key and what others verify its signatures with, both in PEM.
  typealias Pair = (key: String, publicKey: String)

  /// The text of a key that `openssl genpkey` makes.
  static func pair(_ name: String, _ options: [String]) throws -> Pair {
    let folder = try ScratchFolder()
    let (key, publicKey) = ("\(folder.path)/\(name).key", "\(folder.path)/\(name).pub")
    try ChildProcess.run("/usr/bin/openssl", ["genpkey", "-out", key] + options)
    try ChildProcess.run("/usr/bin/openssl", ["pkey", "-in", key, "-pubout", "-out", publicKey])
    return (try TextFile.read(key), try TextFile.read(publicKey))
  }

  static func team(id: String = "TEAM123456", keyID: String = "KEY1234567") throws -> AppleTeam {
    try AppleTeam(
      id: id, keyID: keyID, key: SigningKey(pem: Secret(apple.get().key), for: .es256))
  }

  /// Google's file of a service account with that key, and with other members where some are given.
  static func account(changing members: [String: String?] = [:]) throws -> Secret {
    let usual: [String: String?] = [
      "type": "service_account", "project_id": "learning-app", "private_key_id": "0123456789abcdef",
      "private_key": try google.get().key, "client_email": "push@learning-app.example",
      "token_uri": "https://oauth2.example/token",
    ]
    let lines = usual.merging(members) { $1 }.compactMap { name, value in
      value.map { "\"\(name)\": \"\($0.split(separator: "\n").joined(separator: "\\n"))\"" }
    }
    return Secret("{" + lines.sorted().joined(separator: ", ") + "}")
  }
}
