internal import Glibc

/// The text of a small file.
enum FileText {
  /// Why a file cannot be read.
  struct Unreadable: Error, CustomStringConvertible {
    let description: String
  }

  /// Reads a file, up to a bound: what is behind it is left out.
  static func read(_ path: String, atMost limit: Int) throws(Unreadable) -> String {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw Unreadable(errno: errno) }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: limit)
    var count = 0
    while count < limit {
      let read = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe Glibc.read(file, buffer.baseAddress.map { unsafe $0 + count }, limit - count)
      }
      if read < 0, errno == EINTR { continue }
      guard read >= 0 else { throw Unreadable(errno: errno) }
      guard read > 0 else { break }
      count += read
    }
    // Where the bound cuts a file, it may cut a character.
    return count == limit
      ? String(decoding: bytes, as: UTF8.self) : try text(of: bytes[..<count])
  }

  /// Whether there is such a file, and this process may read it.
  static func isThere(_ path: String) -> Bool { unsafe access(path, R_OK) == 0 }

  /// The text that `bytes` spell; a replaced byte would be a name that nobody wrote.
  private static func text(of bytes: ArraySlice<UInt8>) throws(Unreadable) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
    throw Unreadable(description: "line \(line + 1) is not text in UTF-8")
  }
}

extension FileText.Unreadable {
  init(errno code: Int32) {
    description = unsafe String(cString: strerror(code)).lowercased()
  }
}
