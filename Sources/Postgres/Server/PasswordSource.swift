internal import Glibc

/// Where the password of a connection comes from.
public enum PasswordSource: Sendable, Equatable {
  /// Wherever libpq finds it: the connection string, `PGPASSWORD`, `PGPASSFILE`, `~/.pgpass`.
  case libpq

  /// The file at this path, read anew for each connection.
  case file(String)

  /// The credential `name` that systemd leaves in `directory`: give `$CREDENTIALS_DIRECTORY`.
  ///
  /// A service has one folder for all its credentials: where this one is not among them, it is as with
  /// `libpq`.
  case credential(String, directory: String?)
}

extension PasswordSource {
  /// The password, or nil when libpq is to find it.
  func password() throws(PostgresError) -> String? {
    switch self {
    case .libpq:
      return nil
    case .file(let path):
      return try Self.read(path)
    case .credential(let name, let directory):
      guard !name.isEmpty, !name.contains("/") else {
        throw .unusable("'\(name)' is no name of a credential: write it without a folder")
      }
      guard let directory else {
        throw .unusable(
          "cannot read the credential '\(name)': $CREDENTIALS_DIRECTORY is not set; "
            + "write LoadCredential=\(name):… into the unit, or give a file")
      }
      let path = "\(directory)/\(name)"
      let isAbsent = unsafe access(path, F_OK) != 0 && errno == ENOENT
      return isAbsent ? nil : try Self.read(path)
    }
  }

  private static func read(_ path: String) throws(PostgresError) -> String {
    let bytes: [UInt8]
    do throws(BoundedFile.Refused) {
      bytes = try BoundedFile.read(path, atMost: longest + 1)
    } catch {
      throw .unusable("cannot read the password file '\(path)': \(error)")
    }
    let text = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    guard !text.isEmpty else { throw .unusable("the password file '\(path)' has no first line") }
    guard bytes.count <= longest, !text.contains(0) else {
      throw .unusable(
        "the password file '\(path)' holds no password: write one line of text into it")
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static let longest = 4096
}
