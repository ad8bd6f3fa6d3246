internal import Glibc
internal import Synchronization

/// A small file that is read within a bound of size and of time, or not at all.
///
/// A pipe to which nobody writes, a device, and a file of a server that is gone would hold whoever reads them
/// for ever.
public enum BoundedFile {
  /// How long a file may take that is on a disk which is slow.
  public static let patience = Duration.seconds(10)

  /// Why a file is not read.
  public struct Refused: Error, Equatable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
  }

  /// The bytes of a regular file, or of a pipe that this process was given, such as `<(…)`; no more than so many.
  public static func read(
    _ path: String, atMost most: Int, within limit: Duration = patience
  ) throws(Refused) -> [UInt8] {
    try bounded(within: limit) { deadline throws(Refused) in
      try OpenFile(path).read(atMost: most, until: deadline)
    }
  }

  /// Refuses what is there and can hold whoever reads it; what is not there is somebody else's to say, unless it
  /// must be.
  public static func check(
    _ path: String, mustExist: Bool = false, within limit: Duration = patience
  ) throws(Refused) {
    try bounded(within: limit) { _ throws(Refused) in
      if !mustExist, unsafe access(path, F_OK) != 0 { return }
      _ = try OpenFile(path)
    }
  }

  /// Refuses a folder of which a list of revoked certificates, such as `5ed36f99.r0`, can hold whoever reads it.
  static func check(revocations path: String, within limit: Duration = patience) throws(Refused) {
    try bounded(within: limit) { _ throws(Refused) in
      guard let folder = unsafe opendir(path) else { return }
      defer { unsafe closedir(folder) }
      while let entry = unsafe readdir(folder) {
        let name = unsafe Swift.withUnsafeBytes(of: entry.pointee.d_name) { bytes in
          unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        let file = "\(path)/\(name)"
        guard name.contains(".r"), unsafe access(file, R_OK) == 0 else { continue }
        _ = try OpenFile(file)
      }
    }
  }

  /// Does what may be held up on a thread of its own, which is left to itself when it is.
  ///
  /// Not even a flag helps against a file of a server that is gone: its open waits where nothing reaches it.
  public static func bounded<Value: Sendable>(
    within limit: Duration = patience,
    _ work: @escaping @Sendable (_ deadline: ContinuousClock.Instant) throws(Refused) -> Value
  ) throws(Refused) -> Value {
    let answer = Answer<Value>()
    let end = ContinuousClock.now + limit
    let isDone = Background.run(until: Deadline(after: limit)) {
      let result = Result { () throws(Refused) in try work(end) }
      answer.value.withLock { $0 = result }
    }
    guard isDone, let result = answer.value.withLock({ $0 }) else {
      throw Refused("it could not be read within \(limit.inWords)")
    }
    return try result.get()
  }

  private final class Answer<Value: Sendable>: Sendable {
    let value = Mutex<Result<Value, Refused>?>(nil)
  }
}

/// A file that is open, and known not to wait for somebody who may never come.
private struct OpenFile: ~Copyable {
  private let descriptor: Int32
  private let isPipe: Bool

  init(_ path: String) throws(BoundedFile.Refused) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw Self.refusal(errno) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      let number = errno
      close(descriptor)
      throw Self.refusal(number)
    }
    if let objection = Self.objection(to: status, descriptor) {
      close(descriptor)
      throw BoundedFile.Refused(objection)
    }
    self.descriptor = descriptor
    isPipe = status.st_mode & S_IFMT == S_IFIFO
  }

  deinit {
    close(descriptor)
  }

  private static func objection(to status: stat, _ descriptor: Int32) -> String? {
    switch status.st_mode & S_IFMT {
    case S_IFREG: nil
    case S_IFDIR: unsafe String(cString: strerror(EISDIR))
    case S_IFIFO where isInherited(descriptor): nil
    case S_IFIFO: "it is a named pipe: give a file, or a pipe as <(…) makes it"
    // The one device that is known to have an end: an empty file for whoever wants none.
    case S_IFCHR where status.st_rdev == null: nil
    default: "it is a device: give a file"
    }
  }

  /// Whether a pipe has no name that somebody could have left without a writer.
  private static func isInherited(_ descriptor: Int32) -> Bool {
    var name = [CChar](repeating: 0, count: 16)
    let length = unsafe readlink("/proc/self/fd/\(descriptor)", &name, name.count)
    return length > 5 && name.prefix(5).elementsEqual("pipe:".utf8.map { CChar($0) })
  }

  private static let null: dev_t = 0x103
  func read(
    atMost most: Int, until end: ContinuousClock.Instant
  ) throws(BoundedFile.Refused) -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: min(most, 65_536))
    while bytes.count < most {
      let count = unsafe Glibc.read(descriptor, &piece, min(piece.count, most - bytes.count))
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN, Self.wait(for: descriptor, until: end) { continue }
      guard count >= 0 else { throw Self.refusal(errno) }
      guard count > 0 else { break }
      bytes += piece[..<count]
    }
    // Settings that are read once more must not become empty ones.
    guard !bytes.isEmpty || !isPipe else {
      throw BoundedFile.Refused(
        "nothing is in the pipe, which can be read only once: give a file")
    }
    return bytes
  }

  private static func wait(for descriptor: Int32, until end: ContinuousClock.Instant) -> Bool {
    let left = Deadline(after: end - ContinuousClock.now)
    let isReady = Readiness.wait(for: descriptor, POLLIN, until: left) == .ready
    if !isReady { errno = ETIMEDOUT }
    return isReady
  }

  private static func refusal(_ number: Int32) -> BoundedFile.Refused {
    BoundedFile.Refused(unsafe String(cString: strerror(number)))
  }
}
