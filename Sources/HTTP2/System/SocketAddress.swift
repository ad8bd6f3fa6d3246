internal import Glibc

/// Where a server listens.
struct SocketAddress: Sendable, Equatable {
  let family: Int32
  private let bytes: [UInt8]

  init(family: Int32, bytes: [UInt8]) {
    (self.family, self.bytes) = (family, bytes)
  }

  /// Begins to connect; nil and the number of the error when that fails at once.
  func dial() -> Result<Int32, SystemError> {
    let descriptor = socket(
      family,
      Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        | Int32(SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { return .failure(SystemError(number: errno)) }
    var one: Int32 = 1
    unsafe setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    let status = unsafe bytes.withUnsafeBytes { raw in
      unsafe raw.withMemoryRebound(to: sockaddr.self) { address in
        unsafe connect(descriptor, address.baseAddress, socklen_t(bytes.count))
      }
    }
    guard status == 0 || errno == EINPROGRESS else {
      let number = errno
      close(descriptor)
      return .failure(SystemError(number: number))
    }
    return .success(descriptor)
  }

  /// Why a dial that has ended was in vain; nil when it was not.
  static func failure(of descriptor: Int32) -> SystemError? {
    var number: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &size)
    return number == 0 ? nil : SystemError(number: number)
  }

  /// IPv6 and IPv4 by turns, each kind in the order in which the resolver gave it, beginning with its first.
  static func byTurns(_ addresses: [SocketAddress]) -> [SocketAddress] {
    guard let first = addresses.first else { return [] }
    var ones = addresses.filter { $0.family == first.family }[...]
    var others = addresses.filter { $0.family != first.family }[...]
    var ordered: [SocketAddress] = []
    while !ones.isEmpty || !others.isEmpty {
      if let next = ones.popFirst() { ordered.append(next) }
      if let next = others.popFirst() { ordered.append(next) }
    }
    return ordered
  }
}

/// An error of the system by its number.
struct SystemError: Error, CustomStringConvertible {
  let number: Int32

  var description: String {
    unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
  }
}
