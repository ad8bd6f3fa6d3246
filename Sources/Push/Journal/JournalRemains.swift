internal import Glibc

/// The journal of a process that is dead.
public struct JournalRemains: Sendable {
  /// What became of a push.
  public enum Fate: Sendable, Equatable {
    /// Not a byte of it was written to a socket.
    case neverLeft

    /// The provider took it.
    case accepted

    /// The provider answered, and took it not.
    case refused

    /// It was being written, or was written, and there was no answer yet.
    case left

    /// This journal says nothing of it.
    case unknown
  }

  public let path: String
  private let notes: [JournalKey: JournalNote]
  private let hasLost: Bool

  /// What became of a push that a part claimed whose process is dead.
  public func fate(of push: String, claimedBy claim: String) -> Fate {
    guard let key = JournalKey(push: push, claim: claim), let part = JournalKey(claim: claim),
      notes[part] != nil
    else { return .unknown }
    switch notes[key] {
    case .accepted: return .accepted
    case .refused: return .refused
    case .leaving, .attended: return .left
    case nil: return hasLost ? .unknown : .neverLeft
    }
  }

  /// Whether no part and no push is in it.
  private var saysNothing: Bool { notes.isEmpty && !hasLost }

  /// Removes the file, when all that it knows is written down.
  public func remove() {
    unsafe unlink(path)
  }

  /// Removes the journals in a folder whose processes are dead, but for the last `most` that say anything; returns
  /// these.
  ///
  /// What a push was is known to the database soon after; a host that crashes in a circle must not fill its disk. It
  /// must not push out the journal of the one that had pushes in hand either, before another may take its part.
  public static func prune(in folder: String, keeping most: Int) -> [JournalRemains] {
    let all = Self.all(in: folder)
    let telling = all.filter { !$0.saysNothing }
    for old in all.filter(\.saysNothing) + telling.dropLast(most) { old.remove() }
    return telling.suffix(most)
  }

  /// The journals in a folder whose processes are dead, and that were written since the host was started; those
  /// that are known need not be read again.
  public static func all(
    in folder: String, knowing known: [JournalRemains] = []
  ) -> [JournalRemains] {
    guard let listing = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(listing) }
    var found: [JournalRemains] = []
    while let entry = unsafe readdir(listing) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        unsafe tuple.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      guard name.hasSuffix(PushJournal.ending) else { continue }
      let path = "\(folder)/\(name)"
      let remains = known.first { $0.path == path } ?? JournalRemains(path)
      if let remains { found.append(remains) }
    }
    return found.sorted { $0.path < $1.path }
  }

  private init?(_ path: String) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    // The process that writes it holds it until it ends, alone; those who read it are not in each other's way.
    guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else { return nil }
    defer { flock(descriptor, LOCK_UN) }
    guard let bytes = Self.bytes(of: descriptor),
      Self.isJournal(bytes), let boot = JournalLayout.boot()
    else { return nil }
    guard Self.boot(of: bytes) == boot else {
      // What it says may never have reached the disk: nobody can ever use it.
      unsafe unlink(path)
      return nil
    }
    let (notes, hasLost) = Self.read(bytes)
    (self.path, self.notes, self.hasLost) = (path, notes, hasLost)
  }

  private static func bytes(of descriptor: Int32) -> [UInt8]? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= 1 << 28
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var end = 0
    while end < bytes.count {
      let count = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe Glibc.read(descriptor, buffer.baseAddress?.advanced(by: end), buffer.count - end)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      end += count
    }
    return bytes
  }
}

extension JournalRemains {
  private static func isJournal(_ bytes: [UInt8]) -> Bool {
    bytes.count >= JournalLayout.headBytes
      && number(bytes, at: JournalLayout.magicAt, bytes: 8) == JournalLayout.magic
  }

  /// In which life of the host it was written.
  private static func boot(of bytes: [UInt8]) -> [UInt8] {
    Array(bytes[JournalLayout.bootAt..<JournalLayout.bootAt + 16])
  }

  /// What the bytes of a journal say.
  private static func read(_ bytes: [UInt8]) -> (notes: [JournalKey: JournalNote], hasLost: Bool) {
    var latest: [JournalKey: (order: UInt64, note: JournalNote)] = [:]
    for start in stride(
      from: JournalLayout.headBytes, through: bytes.count - JournalLayout.placeBytes,
      by: JournalLayout.placeBytes)
    {
      let word = UInt32(number(bytes, at: start + JournalLayout.noteAt, bytes: 4))
      guard let note = JournalNote(rawValue: word) else { continue }
      let key = JournalKey(
        bytes: Array(bytes[start + JournalLayout.keyAt..<start + JournalLayout.keyAt + 32]))
      let order = number(bytes, at: start + JournalLayout.orderAt, bytes: 8)
      if (latest[key]?.order ?? 0) <= order { latest[key] = (order, note) }
    }
    let hasLost = number(bytes, at: JournalLayout.hasLostAt, bytes: 4) != 0
    return (latest.mapValues(\.note), hasLost)
  }

  private static func number(_ bytes: [UInt8], at offset: Int, bytes count: Int) -> UInt64 {
    bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
