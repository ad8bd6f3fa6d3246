private import Glibc

/// A port of 127.0.0.1 on which nobody listens.
public enum FreePort {
  /// Finds one; the system hands it out to nobody else for a while.
  public static func find() throws -> Int {
    let listener = try Loopback.listen()
    defer { close(listener.descriptor) }
    return listener.port
  }
}

/// Sockets on 127.0.0.1.
enum Loopback {
  /// A socket that listens on a port of the system's choice, and that port.
  static func listen() throws -> (descriptor: Int32, port: Int) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw Unwritable(path: "a socket") }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = unsafe withUnsafeMutablePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(descriptor, address, size) == 0 && Glibc.listen(descriptor, 16) == 0
          && getsockname(descriptor, address, &size) == 0
      }
    }
    guard status else {
      close(descriptor)
      throw Unwritable(path: "a socket")
    }
    return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
  }
}
