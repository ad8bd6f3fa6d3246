internal import JobKit
internal import Settings

/// Whether the password of the database is for the worker's eyes alone.
struct PasswordFileCheck: HostCheck {
  let name = "password"

  /// The variables of this process that matter here.
  var variables = Environment.values(of: ["CREDENTIALS_DIRECTORY", "PGPASSWORD"])

  func check(at patient: Patient) -> [Observation] {
    var seen: [Observation] = []
    if variables["PGPASSWORD"] != nil {
      seen.append(
        .warning(
          "the password stands in $PGPASSWORD, which children inherit and tools print",
          why: Self.danger,
          do: "put it into a file, name that in 'database.password_file', and unset the variable"))
    }
    if let path = file(of: patient.settings.database) { seen += check(at: path) }
    return seen.orWell(
      "no password file is set: libpq looks for one (PGPASSFILE), or the role needs none")
  }

  /// Where the password is read from; systemd's folder of credentials may be there for others alone.
  private func file(of database: DatabaseSettings) -> String? {
    if let path = database.passwordFile { return path }
    guard let folder = variables["CREDENTIALS_DIRECTORY"] else { return nil }
    let path = "\(folder)/\(DatabaseSettings.credential)"
    return FileText.isThere(path) ? path : nil
  }

  private static let danger =
    "who can read the password of the worker's role can do all that the worker does"

  private func check(at path: String) -> [Observation] {
    do throws(FileText.Unreadable) {
      let facts = try FileFacts(of: path)
      let mode = String(facts.mode, radix: 8)
      guard facts.mode & 0o027 == 0 else {
        return [
          .problem(
            "'\(path)' has mode \(mode): others than its owner can read or change it",
            why: Self.danger,
            do: "chmod 600 \(path)")
        ]
      }
      guard facts.isReadable else {
        return [
          .problem(
            "'\(path)' cannot be read by this user",
            why: "a daemon that runs as this user gets no connection",
            do: "let it belong to the user that the daemon runs as")
        ]
      }
      return [.ok("'\(path)' has mode \(mode)")]
    } catch {
      return [
        .problem(
          "cannot look at '\(path)': \(error)", why: "a daemon gets no connection without it",
          do: "correct 'database.password_file'")
      ]
    }
  }
}
