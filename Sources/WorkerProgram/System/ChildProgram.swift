internal import CWorker
internal import Config
internal import Glibc
internal import JobKit

/// A program that is run to its end without a shell: what it reads, how long it may take, what it said.
struct ChildProgram {
  let command: [String]
  let variables: [(name: String, value: String)]

  /// What it finds on standard input.
  let input: String
  let limit: Duration

  /// What became of it.
  struct End: Equatable {
    /// How it ended; nothing when it had to be ended, because it took too long.
    let status: Int32?

    /// The last that it wrote, to either of its streams.
    let output: String

    /// Nothing when it ended well, else how it ended.
    var failure: String? {
      switch status {
      case nil: "took too long and was ended"
      case 0?: nil
      case let status? where status & 0x7f == 0: "ended with \((status >> 8) & 0xff)"
      case let status?: "was ended by signal \(status & 0x7f)"
      }
    }
  }

  /// Runs it on the calling thread; throws when it cannot be started.
  func run() throws(Unstarted) -> End {
    var ends: [Int32] = [-1, -1]
    guard unsafe private_pipe(&ends) == 0 else { throw Unstarted(errno: errno) }
    defer { close(ends[0]) }
    let started = Result { () throws(Unstarted) in try start(writingTo: ends[1]) }
    // Or the pipe would never be at its end.
    close(ends[1])
    let process = try started.get()
    let watched = process_descriptor(process)
    defer { if watched >= 0 { close(watched) } }
    var output: [UInt8] = []
    let isOver = watch(watched, reading: ends[0], into: &output)
    // The whole group: what a script has started ends with it.
    if !isOver { kill(-process, SIGKILL) }
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    Self.read(ends[0], into: &output)
    let text = String(decoding: output.suffix(Self.mostShown), as: UTF8.self)
    return End(status: isOver ? status : nil, output: text.onOneLine)
  }

  /// Waits until the process ends, at most as long as it may take; keeps the last that it writes.
  private func watch(_ process: Int32, reading pipe: Int32, into output: inout [UInt8]) -> Bool {
    let end = ContinuousClock.now + limit
    var isOpen = true
    while true {
      let left = Int32(clamping: Int((end - ContinuousClock.now) / .milliseconds(1)))
      guard left > 0 else { return false }
      var waiting = [
        pollfd(fd: process, events: Int16(POLLIN), revents: 0),
        pollfd(fd: isOpen ? pipe : -1, events: Int16(POLLIN), revents: 0),
      ]
      guard unsafe poll(&waiting, 2, left) >= 0 || errno == EINTR else { return false }
      if waiting[1].revents != 0 { isOpen = Self.read(pipe, into: &output) }
      if waiting[0].revents != 0 { return true }
    }
  }

  /// Reads some of what there is, never more than a pipe holds: whoever writes for ever is not waited for.
  ///
  /// False when there will be no more.
  @discardableResult
  private static func read(_ pipe: Int32, into output: inout [UInt8]) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4096)
    for _ in 0..<mostReads {
      let count = unsafe Glibc.read(pipe, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count < 0 && errno == EAGAIN }
      output = Array((output + bytes[..<count]).suffix(mostKept))
    }
    return true
  }

  private static let mostReads = 16
  private static let mostKept = 4096
  private static let mostShown = 400
}

extension ChildProgram {
  /// Why a program cannot be started.
  struct Unstarted: Error, CustomStringConvertible {
    let description: String

    init(errno code: Int32) {
      description = "cannot be started: \(unsafe String(cString: strerror(code)).lowercased())"
    }
  }

  private func start(writingTo output: Int32) throws(Unstarted) -> pid_t {
    var input = self.input
    let file = input.withUTF8 { bytes in unsafe memory_file(bytes.baseAddress, bytes.count) }
    guard file >= 0 else { throw Unstarted(errno: errno) }
    defer { close(file) }
    var files = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&files)
    defer { unsafe posix_spawn_file_actions_destroy(&files) }
    unsafe posix_spawn_file_actions_adddup2(&files, file, 0)
    unsafe posix_spawn_file_actions_adddup2(&files, output, 1)
    unsafe posix_spawn_file_actions_adddup2(&files, output, 2)
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    Self.makeOrdinary(&attributes)
    let words = unsafe CTexts(command)
    // Not the daemon's own variables: secrets may be among them.
    let environment = unsafe CTexts(
      ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"]
        + variables.map { "\($0.name)=\($0.value)" })
    var process: pid_t = 0
    let code = unsafe posix_spawn(
      &process, command.first ?? "", &files, &attributes, words.list, environment.list)
    guard code == 0 else { throw Unstarted(errno: code) }
    return process
  }

  /// With default signals, none of them blocked, in a group of its own.
  private static func makeOrdinary(_ attributes: inout posix_spawnattr_t) {
    var all = sigset_t()
    var none = sigset_t()
    unsafe sigfillset(&all)
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
  }
}

extension String {
  fileprivate var onOneLine: String {
    split(whereSeparator: \.isNewline).joined(separator: " ").withVisibleControls
  }
}

/// Texts as C takes them: a list of strings that ends with NULL.
@unsafe private final class CTexts {
  private(set) var list: [UnsafeMutablePointer<CChar>?]

  init(_ texts: [String]) {
    unsafe list = texts.map { unsafe strdup($0) } + [nil]
  }

  deinit {
    unsafe list.forEach { unsafe free($0) }
  }
}
