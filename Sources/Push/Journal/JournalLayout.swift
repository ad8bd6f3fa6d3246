internal import Glibc

/// How a journal lies in its file: a head, then places of one size, each for one push.
enum JournalLayout {
  static let magic: UInt64 = 0x31_4C_4E_52_4A_48_53_50

  /// The head: what the file is, how many places there are, in which life of the host it was written, and
  /// whether a push was forgotten before its time.
  static let headBytes = 64
  static let magicAt = 0
  static let placesAt = 8
  static let bootAt = 16
  static let hasLostAt = 32

  /// A place: what is known of a push, when that was written among all others, and its key.
  static let placeBytes = 64
  static let noteAt = 0
  static let orderAt = 8
  static let keyAt = 16

  /// The life of the host since it was started: what a file says from before then may never have reached the disk.
  ///
  /// A unit of systemd that may not see the kernel's file has it in `WORKER_BOOT_ID`, without the hyphens.
  static func boot() -> [UInt8]? {
    let told = unsafe getenv("WORKER_BOOT_ID").map { unsafe Array(String(cString: $0).utf8) }
    guard let text = told ?? kernelsBoot(), !text.isEmpty, Libcrypto.isThere else { return nil }
    return Libcrypto.sha256(text.filter { $0 != UInt8(ascii: "-") }).map { Array($0.prefix(16)) }
  }

  private static func kernelsBoot() -> [UInt8]? {
    let file = unsafe open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var text = [UInt8](repeating: 0, count: 36)
    return unsafe read(file, &text, text.count) == text.count ? text : nil
  }
}

/// What a journal knows of a push, in the order of its life.
public enum JournalNote: UInt32, Sendable {
  /// It is about to be written to the socket.
  case leaving = 1

  /// The provider has taken it.
  case accepted = 2

  /// The provider has not taken it.
  case refused = 3

  /// No push: a part of a run that will send some has begun.
  case attended = 4
}

/// What tells a push from all others, also when it is tried again: the hash of its name and of who claimed it.
struct JournalKey: Sendable, Hashable {
  let bytes: [UInt8]

  init?(push: String, claim: String) {
    guard Libcrypto.isThere, let hash = Libcrypto.sha256(Array("push\n\(claim)\n\(push)".utf8))
    else {
      return nil
    }
    bytes = hash
  }

  /// The key of a part itself.
  init?(claim: String) {
    guard Libcrypto.isThere, let hash = Libcrypto.sha256(Array("part\n\(claim)".utf8)) else {
      return nil
    }
    bytes = hash
  }

  init(bytes: [UInt8]) { self.bytes = bytes }
}

/// Why a journal cannot be kept.
public struct JournalError: Error, Sendable, Equatable, CustomStringConvertible {
  public let description: String
}
