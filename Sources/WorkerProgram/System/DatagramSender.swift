internal import CWorker
internal import Glibc

/// Sends datagrams to one socket of this host; nobody answers.
final class DatagramSender: Sendable {
  private let descriptor: Int32
  private let path: String

  /// A sender to the socket at `path`; a path that begins with `@` is a name without a file.
  ///
  /// Nothing is given for a path that is too long, or when the system has no socket left. A receiver that
  /// does not read holds a message up for `patience`, and then it is lost.
  init?(to path: String, patience: Duration) {
    guard Self.lengths.contains(path.utf8.count) else { return nil }
    self.path = path
    descriptor = open_datagram_socket(Int32(patience / .milliseconds(1)))
    guard descriptor >= 0 else { return nil }
  }

  deinit {
    close(descriptor)
  }

  /// Sends one datagram; false when it did not get there.
  func send(_ bytes: [UInt8]) -> Bool {
    var address = Self.address(of: path)
    // Without a file the name is as long as the address says, and no byte longer.
    let size = socklen_t(MemoryLayout<sa_family_t>.size + path.utf8.count + (isAbstract ? 0 : 1))
    return unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        while unsafe sendto(
          descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), address, size) < 0
        {
          guard errno == EINTR else { return false }
        }
        return true
      }
    }
  }

  /// Whether all that was sent has been read.
  var isRead: Bool { unread_bytes(descriptor) == 0 }

  private var isAbstract: Bool { path.hasPrefix("@") }

  /// From one character to as many as the system has room for.
  private static let lengths = 1...(MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1)

  private static func address(of path: String) -> sockaddr_un {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { room in
      unsafe room.copyBytes(from: path.utf8)
      if path.hasPrefix("@") { unsafe room[0] = 0 }
    }
    return address
  }
}
