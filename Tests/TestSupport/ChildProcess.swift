private import Glibc
private import Synchronization

/// A program that a test runs; it is killed when the last owner of this object lets go.
public final class ChildProcess: Sendable {
  /// The number by which the system knows the process.
  public let id: Int32

  private let ending: Ending

  /// Starts the program at `path`; what it prints goes to the file `output`.
  public init(_ path: String, _ arguments: [String], output: String = "/dev/null") throws {
    let ending = Ending()
    self.ending = ending
    // The thread that starts a process lives as long as it: Linux sends the signal that setpriv sets
    // for the death of a parent already when the thread that started the process ends.
    startThread { ending.keep { spawn(path, arguments, output: output) } }
    try eventually { ending.state != .starting }
    guard let id = ending.state.id else { throw CannotStart(program: path) }
    self.id = id
  }

  deinit {
    send(SIGKILL)
    _ = try? status()
  }

  /// Sends a signal, unless the process has ended.
  public func send(_ signal: Int32) {
    ending.reaping.withLock { _ in
      // While the lock is held the process is not reaped, so its number is nobody else's.
      if case .running(let id) = ending.state { kill(id, signal) }
    }
  }

  /// Waits until the process has ended; 0 when it ended well.
  @discardableResult
  public func status(within limit: Duration = .hang) throws -> Int32 {
    try eventually(within: limit) { ending.state.status != nil }
    return ending.state.status ?? -1
  }

  /// Runs a program to its end; throws what it printed when it fails.
  public static func run(_ path: String, _ arguments: [String]) throws {
    let output =
      "\(try TestEnvironment.scratch)/output-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    defer { unsafe unlink(output) }
    let process = try ChildProcess(path, arguments, output: output)
    guard try process.status() != 0 else { return }
    let text = (try? TextFile.read(output)) ?? ""
    throw ProgramFailed(command: "\(path) \(arguments.joined(separator: " "))", output: text)
  }
}

/// A program that could not be started.
public struct CannotStart: Error {
  let program: String
}

/// A program that ended with an error.
public struct ProgramFailed: Error, CustomStringConvertible {
  let command: String
  let output: String

  public var description: String { "\(command) failed: \(output)" }
}

/// What is known about a process, and the thread that waits for its end.
private final class Ending: Sendable {
  enum State: Equatable {
    case starting
    case running(Int32)
    case ending(Int32)
    case ended(Int32, status: Int32)
    case failed

    var id: Int32? {
      switch self {
      case .running(let id), .ending(let id), .ended(let id, _): id
      case .starting, .failed: nil
      }
    }

    var status: Int32? {
      if case .ended(_, let status) = self { status } else { nil }
    }
  }

  /// The state in one word: a lock that two threads want at once is a system call, which the thread
  /// sanitizer does not see, and so takes for none.
  private let word = Atomic<UInt64>(State.starting.word)

  /// Keeps whoever sends a signal and whoever reaps the process apart.
  let reaping = Mutex(())

  var state: State { State(word: word.load(ordering: .acquiring)) }

  private func become(_ state: State) {
    word.store(state.word, ordering: .releasing)
  }

  /// Starts a process and waits for its end.
  func keep(_ start: () -> Int32?) {
    guard let id = start() else {
      become(.failed)
      return
    }
    become(.running(id))
    var info = unsafe siginfo_t()
    while unsafe waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    // Nobody may signal it any more once its number is free for others.
    reaping.withLock { _ in become(.ending(id)) }
    var status: Int32 = 0
    unsafe waitpid(id, &status, 0)
    become(.ended(id, status: status))
  }
}

extension Ending.State {
  /// The state as a number: what it is in the lowest bits, then the process, then its status.
  var word: UInt64 {
    switch self {
    case .starting: 0
    case .running(let id): 1 | UInt64(id) << 8
    case .ending(let id): 2 | UInt64(id) << 8
    case .ended(let id, let status): 3 | UInt64(id) << 8 | UInt64(UInt16(status)) << 48
    case .failed: 4
    }
  }

  init(word: UInt64) {
    let id = Int32(truncatingIfNeeded: word >> 8)
    switch word & 0xff {
    case 1: self = .running(id)
    case 2: self = .ending(id)
    case 3: self = .ended(id, status: Int32(word >> 48))
    case 4: self = .failed
    default: self = .starting
    }
  }
}

/// Starts a program with its output in a file, default signals, and nothing of our descriptors.
private func spawn(_ path: String, _ arguments: [String], output: String) -> Int32? {
  var files = unsafe posix_spawn_file_actions_t()
  unsafe posix_spawn_file_actions_init(&files)
  defer { unsafe posix_spawn_file_actions_destroy(&files) }
  unsafe posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0)
  unsafe posix_spawn_file_actions_addopen(&files, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o644)
  unsafe posix_spawn_file_actions_adddup2(&files, 1, 2)
  var attributes = posix_spawnattr_t()
  unsafe posix_spawnattr_init(&attributes)
  defer { unsafe posix_spawnattr_destroy(&attributes) }
  var all = sigset_t()
  var none = sigset_t()
  unsafe sigfillset(&all)
  unsafe sigemptyset(&none)
  unsafe posix_spawnattr_setsigdefault(&attributes, &all)
  unsafe posix_spawnattr_setsigmask(&attributes, &none)
  unsafe posix_spawnattr_setflags(
    &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
  let words = unsafe CStrings([path] + arguments)
  let environment = unsafe CStrings(["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C"])
  var id: pid_t = 0
  let status = unsafe posix_spawnp(&id, path, &files, &attributes, words.list, environment.list)
  return status == 0 ? id : nil
}

/// Texts as C takes them: a list of strings that ends with NULL.
@unsafe private final class CStrings {
  private(set) var list: [UnsafeMutablePointer<CChar>?]

  init(_ texts: [String]) {
    unsafe list = texts.map { unsafe strdup($0) } + [nil]
  }

  deinit {
    unsafe list.forEach { unsafe free($0) }
  }
}
