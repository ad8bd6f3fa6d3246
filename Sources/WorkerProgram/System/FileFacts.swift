internal import Glibc

/// What the system knows about a file without reading it.
struct FileFacts {
  /// The nine bits of who may do what.
  let mode: Int

  /// Whether this process may read it.
  let isReadable: Bool

  init(of path: String) throws(FileText.Unreadable) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw FileText.Unreadable(errno: errno) }
    mode = Int(status.st_mode & 0o777)
    isReadable = unsafe access(path, R_OK) == 0
  }

  /// Whether this process may write there.
  static func isWritable(_ path: String) -> Bool {
    unsafe access(path, W_OK) == 0
  }
}
