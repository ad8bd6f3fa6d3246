internal import Glibc

/// The user whose rights a program gets, with all its groups.
struct CommandUser: Equatable {
  let user: UInt32
  let group: UInt32
  let groups: [UInt32]
  let home: String

  /// The user of that name; nothing where the host knows none.
  init?(named name: String) {
    let entry = unsafe Self.entry { unsafe getpwnam_r(name, $0, $1, $2, $3) }
    guard let entry else { return nil }
    (user, group, home) = (entry.user, entry.group, entry.home)
    var count: Int32 = 256
    var groups = [gid_t](repeating: 0, count: Int(count))
    guard unsafe getgrouplist(name, group, &groups, &count) >= 0 else { return nil }
    self.groups = Array(groups.prefix(Int(count)))
  }

  var isRoot: Bool { user == 0 }

  /// The user whose rights this process has.
  static var own: UInt32 { geteuid() }

  /// The home of a user, or of the one whose rights this process has; the root folder where nobody knows it.
  static func home(of user: CommandUser?) -> String {
    let own = unsafe entry { unsafe getpwuid_r(Self.own, $0, $1, $2, $3) }
    return user?.home ?? own?.home ?? "/"
  }

  private typealias Question = (
    UnsafeMutablePointer<passwd>, UnsafeMutablePointer<CChar>, Int,
    UnsafeMutablePointer<UnsafeMutablePointer<passwd>?>
  ) -> Int32

  /// What the host answers, copied while it stands there: several workers may ask at once.
  private static func entry(
    _ ask: Question
  ) -> (user: UInt32, group: UInt32, home: String)? {
    var text = [CChar](repeating: 0, count: 65_536)
    return unsafe text.withUnsafeMutableBufferPointer { text in
      var entry = unsafe passwd()
      var found: UnsafeMutablePointer<passwd>?
      guard let room = text.baseAddress,
        unsafe ask(&entry, room, text.count, &found) == 0,
        unsafe found != nil, let home = unsafe entry.pw_dir
      else { return nil }
      return (unsafe entry.pw_uid, unsafe entry.pw_gid, unsafe String(cString: home))
    }
  }
}
