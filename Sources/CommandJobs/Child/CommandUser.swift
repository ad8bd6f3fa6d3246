internal import Glibc

/// The user whose rights a program gets, with all its groups.
struct CommandUser: Equatable {
  let name: String
  let user: UInt32
  let group: UInt32
  let groups: [UInt32]

  /// The user of that name; nothing where the host knows none.
  init?(named name: String) {
    guard let entry = unsafe getpwnam(name) else { return nil }
    self.name = name
    (user, group) = (unsafe entry.pointee.pw_uid, unsafe entry.pointee.pw_gid)
    var count: Int32 = 256
    var groups = [gid_t](repeating: 0, count: Int(count))
    guard unsafe getgrouplist(name, group, &groups, &count) >= 0 else { return nil }
    self.groups = Array(groups.prefix(Int(count)))
  }

  var isRoot: Bool { user == 0 }

  /// The user whose rights this process has.
  static var own: UInt32 { geteuid() }
}
