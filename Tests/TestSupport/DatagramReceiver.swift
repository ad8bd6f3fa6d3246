private import Glibc

/// A socket of this host that takes datagrams, as a supervisor or a journal does.
public final class DatagramReceiver: Sendable {
  /// Where it listens: a path, or a name without a file that begins with `@`.
  public let address: String

  private let descriptor: Int32

  /// Listens at `address`.
  public init(at address: String) throws {
    self.address = address
    descriptor = socket(
      AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    let isAbstract = address.hasPrefix("@")
    unsafe withUnsafeMutableBytes(of: &name.sun_path) { room in
      unsafe room.copyBytes(from: address.utf8)
      if isAbstract { unsafe room[0] = 0 }
    }
    let size = socklen_t(
      MemoryLayout<sa_family_t>.size + address.utf8.count + (isAbstract ? 0 : 1))
    let status = unsafe withUnsafePointer(to: &name) { name in
      unsafe name.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
        unsafe bind(descriptor, name, size)
      }
    }
    guard status == 0 else { throw Unwritable(path: address) }
  }

  deinit {
    close(descriptor)
  }

  /// The next datagram; nothing when there is none now.
  public func next() -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
    return count < 0 ? nil : Array(bytes[..<count])
  }

  /// Waits for the next datagram, as text.
  public func awaitText() throws -> String {
    var bytes: [UInt8]?
    try eventually {
      bytes = next()
      return bytes != nil
    }
    return String(decoding: bytes ?? [], as: UTF8.self)
  }
}
