/// Where a key is read from.
public enum KeySource: Sendable, Equatable {
  /// The file at this path.
  case file(String)

  /// The credential `name` that systemd leaves in `directory`: give `$CREDENTIALS_DIRECTORY`.
  case credential(String, directory: String)
}

extension KeySource {
  /// What stands in the file, which its owner alone may read.
  ///
  /// A regular file only, so that nobody waits for a pipe; a disk that never answers is for the caller to bound.
  public func read() throws(KeyFileError) -> Secret {
    switch self {
    case .file(let path):
      return try KeyFile.read(path, mayBeReadByGroup: false)
    case .credential(let name, let directory):
      guard !name.isEmpty, !name.contains("/") else { throw .noCredential(name) }
      // Nobody else can enter systemd's folder; that its user can read is shown as its group's right.
      return try KeyFile.read("\(directory)/\(name)", mayBeReadByGroup: true)
    }
  }
}

/// Why a key file is not read.
public enum KeyFileError: Error, Sendable, Equatable {
  case noCredential(String)
  case absent(path: String)
  case unreadable(path: String, reason: String)
  case noFile(path: String)
  case open(path: String, mode: UInt32)
  case long(path: String)
  case empty(path: String)
}

extension KeyFileError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noCredential(let name):
      "'\(name)' is no name of a credential: write it without a folder"
    case .absent(let path): "there is no key file '\(path)'"
    case .unreadable(let path, let reason): "cannot read the key file '\(path)': \(reason)"
    case .noFile(let path): "the key file '\(path)' is no regular file: give a file"
    case .open(let path, let mode):
      "the key file '\(path)' has mode 0\(String(mode, radix: 8)), so others than its owner may use it: "
        + "make it 0600, and make a new key where others could have read it"
    case .long(let path):
      "the key file '\(path)' has more than \(KeyFile.longest) bytes, and no key is as long"
    case .empty(let path): "the key file '\(path)' is empty"
    }
  }
}
