internal import Glibc

/// The text of a small file.
enum FileText {
  /// Why a file cannot be read, in the system's words.
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
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}

extension FileText.Unreadable {
  fileprivate init(errno code: Int32) {
    description = unsafe String(cString: strerror(code)).lowercased()
  }
}
