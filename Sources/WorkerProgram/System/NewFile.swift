internal import Glibc

/// Folders and files that are made anew: what is there already stays as it is.
enum NewFile {
  struct Refused: Error {
    let path: String
    let reason: String
  }

  static func isThere(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// Makes a folder and those above it.
  static func makeFolder(_ path: String) throws(Refused) {
    guard !path.isEmpty, !isThere(path) else { return }
    if let slash = path.lastIndex(of: "/") { try makeFolder(String(path[..<slash])) }
    guard unsafe mkdir(path, 0o755) == 0 || errno == EEXIST else { throw Refused(path) }
  }

  static func write(_ text: String, to path: String) throws(Refused) {
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw Refused(path) }
    defer { close(file) }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
      guard count > 0 else { throw Refused(path) }
      rest = rest.dropFirst(count)
    }
  }

  /// The path from the root of the file system; a folder that is there is named as the system names it.
  static func absolute(_ path: String) -> String {
    guard let real = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }
}

extension NewFile.Refused {
  fileprivate init(_ path: String) {
    self.init(path: path, reason: unsafe String(cString: strerror(errno)).lowercased())
  }
}
