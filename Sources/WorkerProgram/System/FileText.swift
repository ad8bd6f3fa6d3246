internal import Glibc
internal import Postgres

/// The text of a small file.
enum FileText {
  /// Why a file cannot be read.
  struct Unreadable: Error, CustomStringConvertible {
    let description: String
  }

  /// Reads a file, up to a bound: what is behind it is left out.
  ///
  /// It is a regular file, or a pipe that this process was given, and is there within a bound of time.
  static func read(_ path: String, atMost limit: Int) throws(Unreadable) -> String {
    let bytes: [UInt8]
    do throws(BoundedFile.Refused) {
      bytes = try BoundedFile.read(path, atMost: limit)
    } catch {
      throw Unreadable(error)
    }
    // Where the bound cuts a file, it may cut a character.
    return bytes.count == limit ? String(decoding: bytes, as: UTF8.self) : try text(of: bytes)
  }

  /// Why this process cannot read a file; nothing where it can.
  static func objection(toReading path: String) -> String? {
    do throws(BoundedFile.Refused) {
      try BoundedFile.check(path, mustExist: true)
      return nil
    } catch {
      return Unreadable(error).description
    }
  }

  /// Whether there is such a file, and this process may read it.
  static func isThere(_ path: String) -> Bool { unsafe access(path, R_OK) == 0 }

  /// The text that `bytes` spell; a replaced byte would be a name that nobody wrote.
  private static func text(of bytes: [UInt8]) throws(Unreadable) -> String {
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

  init(_ refused: BoundedFile.Refused) {
    description = refused.description.lowercased()
  }
}
