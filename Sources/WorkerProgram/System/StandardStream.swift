internal import CWorker
internal import Glibc

/// Standard output or standard error.
enum StandardStream: Int32, Sendable {
  case output = 1
  case error = 2

  /// Lets no file get the number of a stream that is closed: what is written there would go into that file.
  static func holdPlaces() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  var isTerminal: Bool { isatty(rawValue) == 1 }

  /// Whether what is written here gets into the journal.
  var isJournal: Bool { Journal.isBehind(rawValue, by: Environment["JOURNAL_STREAM"]) }

  /// Whether this is a terminal that can go back in a line and empty it.
  var takesControls: Bool { isTerminal && Environment["TERM"] != "dumb" }

  /// Whether this is such a terminal whose owner has not asked for plain text.
  var takesColours: Bool { takesControls && (Environment["NO_COLOR"] ?? "").isEmpty }

  /// How many columns this terminal has; nothing when it is none, or does not know.
  var columns: Int? {
    let columns = Int(terminal_columns(rawValue))
    return columns > 0 ? columns : nil
  }

  /// Whether somebody may read what is written here: false when it is a pipe whose reader has gone.
  var hasReader: Bool {
    var watched = pollfd(fd: rawValue, events: 0, revents: 0)
    return unsafe poll(&watched, 1, 0) < 1 || watched.revents & Int16(POLLERR) == 0
  }

  /// Writes all of `text`.
  ///
  /// A reader who went away has seen what it wanted: the rest is dropped, which is no failure.
  func write(_ text: String) throws(Unwritten) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let written = unsafe rest.withUnsafeBytes { bytes in
        unsafe Glibc.write(rawValue, bytes.baseAddress, bytes.count)
      }
      guard written >= 0 else {
        if errno == EINTR { continue }
        if errno == EPIPE { return }
        throw Unwritten(errno: errno)
      }
      rest = rest.dropFirst(written)
    }
  }
}

/// Why a result did not get out, in the system's words.
struct Unwritten: Error, CustomStringConvertible {
  let description: String

  fileprivate init(errno code: Int32) {
    let reason = unsafe String(cString: strerror(code)).lowercased()
    description = "cannot write the result: \(reason)"
  }
}
