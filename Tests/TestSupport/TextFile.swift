private import Glibc

/// Small files that tests write and read.
public enum TextFile {
  /// Writes `text` to the file at `path`, for its owner alone unless `mode` says otherwise.
  public static func write(_ text: String, to path: String, mode: UInt32 = 0o600) throws {
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    guard file >= 0 else { throw Unwritable(path: path) }
    defer { close(file) }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
      guard count > 0 else { throw Unwritable(path: path) }
      rest = rest.dropFirst(count)
    }
  }

  /// Reads the file at `path`.
  public static func read(_ path: String) throws -> String {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw Unwritable(path: path) }
    defer { close(file) }
    var text = [UInt8]()
    var piece = [UInt8](repeating: 0, count: 65_536)
    while case let count = unsafe Glibc.read(file, &piece, piece.count), count > 0 {
      text += piece[..<count]
    }
    return String(decoding: text, as: UTF8.self)
  }
}

/// A file that a test could not write or read.
public struct Unwritable: Error {
  let path: String
}
