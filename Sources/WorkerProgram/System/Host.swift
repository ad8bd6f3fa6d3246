internal import Glibc

/// The machine and the person that this process belongs to.
enum Host {
  static let name: String = {
    var bytes = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&bytes, bytes.count - 1) == 0 else { return "unknown" }
    return String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }()

  static var process: Int { Int(getpid()) }

  /// Whether this process has the rights of root.
  static var isRoot: Bool { geteuid() == 0 }

  /// Whether this machine has a user of that name.
  static func knows(user: String) -> Bool {
    var entry = unsafe passwd()
    var found: UnsafeMutablePointer<passwd>?
    var room = [CChar](repeating: 0, count: 16_384)
    let error = unsafe getpwnam_r(user, &entry, &room, room.count, &found)
    return unsafe error == 0 && found != nil
  }

  /// The zone that the clocks of this machine show; nothing where no link says it.
  static var zone: String? {
    let path = NewFile.absolute("/etc/localtime")
    guard let folder = path.ranges(of: "/zoneinfo/").last else { return nil }
    return String(path[folder.upperBound...])
  }

  /// Who does something by hand, as in `ana@host`; behind sudo the person, not root.
  static var author: String {
    let user = ["SUDO_USER", "USER"].lazy.compactMap { Environment[$0] }.first { !$0.isEmpty }
    return "\(user ?? account ?? "uid \(getuid())")@\(name)"
  }

  /// What the system calls the user of this process: cron, systemd and containers leave it out of the
  /// environment.
  private static let account: String? = {
    var entry = unsafe passwd()
    var found: UnsafeMutablePointer<passwd>?
    var room = [CChar](repeating: 0, count: 16_384)
    guard unsafe getpwuid_r(getuid(), &entry, &room, room.count, &found) == 0,
      let found = unsafe found
    else { return nil }
    return unsafe String(cString: found.pointee.pw_name)
  }()
}
