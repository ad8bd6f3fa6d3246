internal import Glibc

/// The machine and the person that this process belongs to.
enum Host {
  static let name: String = {
    var bytes = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&bytes, bytes.count - 1) == 0 else { return "unknown" }
    return String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }()

  static var process: Int { Int(getpid()) }

  /// Who does something by hand, as in `ana@host`; behind sudo the person, not root.
  static var author: String {
    let user = Environment["SUDO_USER"] ?? Environment["USER"] ?? "uid \(getuid())"
    return "\(user)@\(name)"
  }
}
