internal import CWorker
internal import Glibc
internal import JobKit
internal import Settings
internal import Web

/// Sockets at which a daemon answers, and those that ask it.
enum LocalSocket {
  /// Why there is no such socket, in the system's words.
  struct Failure: Error, CustomStringConvertible {
    let code: Int32

    var description: String { unsafe String(cString: strerror(code)).lowercased() }
  }

  /// A socket on which somebody may call; it blocks nobody.
  static func listening(on address: HttpAddress) throws(Failure) -> Int32 {
    try removeAbandoned(address)
    let descriptor = try open(address, SOCK_NONBLOCK)
    var yes: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size)
    if case .tcp(let host, _) = address, host.bytes.count == 16 {
      // [::] is for callers of both kinds, whatever the system's default is.
      var no: Int32 = 0
      unsafe setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &no, size)
    }
    guard
      unsafe SocketAddress(address).call({ unsafe bind(descriptor, $0, $1) }) == 0,
      listen(descriptor, backlog) == 0
    else { throw closing(descriptor) }
    return descriptor
  }

  /// A socket that has called whoever listens there, and waits so long for each answer.
  static func connected(
    to address: HttpAddress, within seconds: Int
  ) throws(Failure) -> Int32 {
    let descriptor = try open(address, nil)
    limit_waits(descriptor, Int32(seconds))
    guard unsafe SocketAddress(address).call({ unsafe connect(descriptor, $0, $1) }) == 0 else {
      throw closing(descriptor)
    }
    return descriptor
  }

  /// Takes the name of a socket out of its folder.
  static func remove(_ path: String) {
    unsafe unlink(path)
  }

  /// How many callers may wait to be let in: more get no answer for a second, and then try again.
  private static let backlog: Int32 = 1024

  private static func open(
    _ address: HttpAddress, _ more: __socket_type?
  ) throws(Failure) -> Int32 {
    let family =
      switch address {
      case .tcp(let host, _): host.bytes.count == 4 ? AF_INET : AF_INET6
      case .unix: AF_UNIX
      }
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | (more?.rawValue ?? 0)
    let descriptor = socket(family, Int32(kind), 0)
    guard descriptor >= 0 else { throw Failure(code: errno) }
    return descriptor
  }

  /// The name of a unix socket outlives a daemon that was killed; one that is answered is somebody's.
  ///
  /// What is no socket was named by mistake, and stays.
  private static func removeAbandoned(_ address: HttpAddress) throws(Failure) {
    guard case .unix(let path) = address, isSocket(path) else { return }
    do throws(Failure) {
      close(try connected(to: address, within: 1))
    } catch {
      if error.code == ECONNREFUSED { remove(path) }
    }
  }

  private static func isSocket(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
  }

  private static func closing(_ descriptor: Int32) -> Failure {
    let failure = Failure(code: errno)
    close(descriptor)
    return failure
  }
}

/// An address as the system's calls take it.
private struct SocketAddress {
  private let bytes: [UInt8]

  init(_ address: HttpAddress) {
    switch address {
    case .tcp(let host, let port) where host.bytes.count == 4:
      var inner = sockaddr_in()
      inner.sin_family = sa_family_t(AF_INET)
      inner.sin_port = port.bigEndian
      unsafe withUnsafeMutableBytes(of: &inner.sin_addr) { unsafe $0.copyBytes(from: host.bytes) }
      bytes = unsafe withUnsafeBytes(of: inner) { unsafe Array($0) }
    case .tcp(let host, let port):
      var inner = sockaddr_in6()
      inner.sin6_family = sa_family_t(AF_INET6)
      inner.sin6_port = port.bigEndian
      unsafe withUnsafeMutableBytes(of: &inner.sin6_addr) { unsafe $0.copyBytes(from: host.bytes) }
      bytes = unsafe withUnsafeBytes(of: inner) { unsafe Array($0) }
    case .unix(let path):
      let family = unsafe withUnsafeBytes(of: sa_family_t(AF_UNIX)) { unsafe Array($0) }
      bytes = family + Array(path.utf8) + [0]
    }
  }

  func call(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    unsafe bytes.withUnsafeBytes { raw in
      guard let address = unsafe raw.assumingMemoryBound(to: sockaddr.self).baseAddress else {
        return -1
      }
      return unsafe body(address, socklen_t(raw.count))
    }
  }
}
