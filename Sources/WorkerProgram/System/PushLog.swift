internal import Glibc
internal import JobKit
internal import Push
internal import Runner
internal import Settings
internal import Synchronization

/// Where pushes are written: a file of their own, or the log of the process.
final class PushLog: Sendable {
  private let descriptor: Int32
  private let isOurs: Bool

  /// Whether the system takes a longer text than it has room for in pieces, each of which may be the last.
  private let isPipe: Bool

  private let line: @Sendable (PushMessage) -> String

  /// Who has it writes alone: a pipe takes a long text in pieces.
  private let turn: Mutex<Turn>

  private struct Turn {
    /// Whether the last line has no end, and the next would go on in it.
    var isTorn: Bool
  }

  /// The log of this process on standard error, in its format; it shows nothing that a learner would see.
  init(inLogWith settings: LogSettings) {
    let isJournal = Journal.ofThisProcess != nil
    let format = LogFormat(
      settings.format, isTerminal: StandardStream.error.isTerminal, isJournal: isJournal)
    (descriptor, isOurs, isPipe) = (STDERR_FILENO, false, Self.isPipe(STDERR_FILENO))
    line = { push in
      let line = LogLine(
        at: SystemClock.now(), level: .info, message: "push",
        fields: [
          ("id", push.id), ("to", push.provider.rawValue), ("token", "\(push.token)"),
          ("expires_at", "\(push.expiresAt)"),
        ])
      return (isJournal ? "<\(line.journalPriority)>" : "") + format.text(of: line)
    }
    turn = Mutex(Turn(isTorn: false))
  }

  /// The file at `path`, which is made when there is none, and to which is added when there is one.
  init(appendingTo path: String) throws(Unopened) {
    // Nobody waits for a pipe to be read by somebody.
    let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let descriptor = unsafe open(path, flags, 0o640)
    guard descriptor >= 0 else { throw Unopened(path: path, number: errno) }
    (self.descriptor, isOurs, isPipe) = (descriptor, true, Self.isPipe(descriptor))
    line = { $0.line }
    turn = Mutex(Turn(isTorn: Self.isTorn(path)))
    // From here on a reader who is slow is waited for.
    _ = fcntl(descriptor, F_SETFL, O_APPEND)
  }

  deinit {
    if isOurs { close(descriptor) }
  }

  /// The transport that writes here.
  var transport: LogTransport { LogTransport(line: line) { self.write($0) } }

  /// Writes a text in one go where the system allows it, so that the pushes of two daemons do not mix; those
  /// of two parts of a run never do.
  private func write(_ text: String) -> LogTransport.Written {
    turn.withLock { turn in
      if turn.isTorn, case let (count, reason) = writeAll(of: "\n"), count < 1 {
        return .part(0, because: reason)
      }
      let (count, reason) = writeAll(of: text)
      turn.isTorn = count > 0 && text.utf8.dropFirst(count - 1).first != UInt8(ascii: "\n")
      return .part(count, because: reason)
    }
  }

  private func writeAll(of text: String) -> (count: Int, reason: String) {
    var text = text
    return text.withUTF8 { bytes in
      var count = 0
      while count < bytes.count {
        let piece = unsafe isPipe ? Self.piece(of: bytes, from: count) : bytes.count - count
        let written = unsafe Glibc.write(
          descriptor, bytes.baseAddress.map { unsafe $0 + count }, piece)
        if written < 0, errno == EINTR { continue }
        guard written > 0 else { return (count, Self.reason(errno)) }
        count += written
      }
      return (count, "")
    }
  }

  /// How much a pipe takes at once or not at all, in whole lines: whoever is killed has left no half of one.
  static func piece(of bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    let rest = unsafe bytes[start...]
    guard unsafe rest.count > mostAtOnce else { return unsafe rest.count }
    let newline = UInt8(ascii: "\n")
    let end =
      unsafe rest.prefix(mostAtOnce).lastIndex(of: newline) ?? rest.firstIndex(of: newline)
    return unsafe end.map { $0 + 1 - start } ?? rest.count
  }

  /// The least that a system calls `PIPE_BUF` and Linux does.
  private static let mostAtOnce = 4096

  private static func isPipe(_ descriptor: Int32) -> Bool {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }

  /// Whether whoever wrote last was ended in the middle of a line.
  private static func isTorn(_ path: String) -> Bool {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else { return false }
    defer { close(file) }
    var status = stat()
    var last: UInt8 = 0
    guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size > 0, unsafe pread(file, &last, 1, status.st_size - 1) == 1
    else { return false }
    return last != UInt8(ascii: "\n")
  }

  private static func reason(_ number: Int32) -> String {
    unsafe String(cString: strerror(number)).lowercased()
  }

  /// Why there is no such file.
  struct Unopened: Error, CustomStringConvertible {
    let path: String
    let number: Int32

    /// Whether another path, or other rights, are what is missing.
    var isOfSettings: Bool {
      [ENOENT, ENOTDIR, EISDIR, EACCES, EPERM, ENAMETOOLONG, ELOOP].contains(number)
    }

    var description: String {
      let remedy =
        number == ENXIO
        ? "nobody reads this pipe: begin to, or" : "let this user write there, or"
      return
        "cannot write pushes to '\(path)': \(PushLog.reason(number)); \(remedy) name another file in"
        + " 'push.log'"
    }
  }
}
