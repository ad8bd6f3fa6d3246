internal import Glibc
internal import Synchronization

/// A name's addresses, asked for on a thread of its own: a name server that hangs holds up nobody.
final class Resolver: Sendable {
  private let found = Mutex<Result<[SocketAddress], ConnectFailure>?>(nil)

  /// Asks for the addresses of `host`; `wakeUp` is signalled when they are there.
  init(_ host: String, port: UInt16, waking wakeUp: WakeUp) {
    let isStarted = startThread { [self] in
      let result = Self.addresses(of: host, port: port)
      found.withLock { $0 = result }
      wakeUp.signal()
    }
    if !isStarted { found.withLock { $0 = .failure(.unknownName("no thread is left")) } }
  }

  /// What came of it, or nil while the name server has not answered.
  var result: Result<[SocketAddress], ConnectFailure>? {
    found.withLock { $0 }
  }

  private static func addresses(
    of host: String, port: UInt16
  ) -> Result<[SocketAddress], ConnectFailure> {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    unsafe hints.ai_flags = AI_NUMERICSERV
    var list: UnsafeMutablePointer<addrinfo>?
    let status = unsafe getaddrinfo(host, "\(port)", &hints, &list)
    guard status == 0 else {
      let words = unsafe gai_strerror(status).map { unsafe String(cString: $0) }
      return .failure(.unknownName((words ?? "error \(status)").lowercased()))
    }
    defer { unsafe freeaddrinfo(list) }
    var addresses: [SocketAddress] = []
    var next = unsafe list
    while let entry = unsafe next {
      let bytes = unsafe UnsafeRawBufferPointer(
        start: entry.pointee.ai_addr, count: Int(entry.pointee.ai_addrlen))
      addresses.append(
        unsafe SocketAddress(family: entry.pointee.ai_family, bytes: Array(bytes)))
      unsafe next = entry.pointee.ai_next
    }
    return .success(SocketAddress.byTurns(addresses))
  }
}
