internal import Glibc

/// Standard output or standard error.
enum StandardStream: Int32, Sendable {
  case output = 1
  case error = 2

  var isTerminal: Bool { isatty(rawValue) == 1 }

  /// Whether this is a terminal whose owner has not asked for plain text.
  var takesColours: Bool {
    isTerminal && (Environment["NO_COLOR"] ?? "").isEmpty
      && Environment["TERM"] != "dumb"
  }

  /// Writes all of `text`, or as much as a reader who went away has left us.
  func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let written = unsafe rest.withUnsafeBytes { bytes in
        unsafe Glibc.write(rawValue, bytes.baseAddress, bytes.count)
      }
      guard written > 0 else {
        if written < 0, errno == EINTR { continue }
        return
      }
      rest = rest.dropFirst(written)
    }
  }
}
