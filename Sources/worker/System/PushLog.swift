internal import Glibc
internal import Push
internal import Synchronization

/// A file, or standard output, to which pushes are written.
final class PushLog: Sendable {
  private let descriptor: Int32
  private let isOurs: Bool

  /// Who has it writes alone: a pipe takes a long text in pieces.
  private let turn = Mutex<Void>(())

  /// Standard output.
  init() {
    (descriptor, isOurs) = (STDOUT_FILENO, false)
  }

  /// The file at `path`, which is made when there is none, and to which is added when there is one.
  init(appendingTo path: String) throws(Unopened) {
    descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o640)
    isOurs = true
    guard descriptor >= 0 else { throw Unopened(path: path, number: errno) }
  }

  deinit {
    if isOurs { close(descriptor) }
  }

  /// The transport that writes here.
  var transport: LogTransport { LogTransport { self.write($0) } }

  /// Writes a text in one go where the system allows it, so that the pushes of two daemons do not mix; those
  /// of two parts of a run never do.
  private func write(_ text: String) -> LogTransport.Written {
    turn.withLock { _ in writeAll(of: text) }
  }

  private func writeAll(of text: String) -> LogTransport.Written {
    var text = text
    return text.withUTF8 { bytes in
      var count = 0
      while count < bytes.count {
        let written = unsafe Glibc.write(
          descriptor, bytes.baseAddress.map { unsafe $0 + count }, bytes.count - count)
        if written < 0, errno == EINTR { continue }
        guard written > 0 else { return .part(count, because: Self.reason(errno)) }
        count += written
      }
      return .part(count, because: "")
    }
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
      [ENOENT, ENOTDIR, EISDIR, EACCES, EPERM, ENAMETOOLONG, ELOOP, ENXIO].contains(number)
    }

    var description: String {
      "cannot write pushes to '\(path)': \(PushLog.reason(number)); let this user write there, or name"
        + " another file in 'push.log'"
    }
  }
}
