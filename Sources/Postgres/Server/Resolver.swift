internal import Glibc
internal import Synchronization

/// Finds the addresses of host names without waiting longer than it may.
enum Resolver {
  /// The addresses of `name`, in the order in which to try them; throws why there are none.
  static func addresses(
    of name: String, before deadline: Deadline
  ) throws(ConnectFailure) -> [String] {
    let answer = Answer()
    // getaddrinfo cannot be bounded: a name server that is silent would hold the caller.
    guard Background.run(until: deadline, { answer.value.withLock { $0 = lookUp(name) } }),
      let result = answer.value.withLock({ $0 })
    else { throw .unreachable("the name '\(name)' was not resolved in time") }
    return try result.get()
  }

  private final class Answer: Sendable {
    let value = Mutex<Result<[String], ConnectFailure>?>(nil)
  }

  private static func lookUp(_ name: String) -> Result<[String], ConnectFailure> {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let status = unsafe getaddrinfo(name, nil, &hints, &list)
    guard status == 0 else {
      let reason = unsafe String(cString: gai_strerror(status))
      return .failure(.unreachable("the name '\(name)' has no address: \(reason)"))
    }
    defer { unsafe freeaddrinfo(list) }
    var addresses = [String]()
    var entry = unsafe list
    while let current = unsafe entry {
      unsafe numeric(current.pointee).map { addresses.append($0) }
      unsafe entry = current.pointee.ai_next
    }
    return .success(addresses)
  }

  @unsafe private static func numeric(_ entry: addrinfo) -> String? {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { text in
      let status = unsafe getnameinfo(
        entry.ai_addr, entry.ai_addrlen, text.baseAddress, socklen_t(text.count), nil, 0,
        NI_NUMERICHOST)
      return unsafe status == 0 ? text.baseAddress.map { unsafe String(cString: $0) } : nil
    }
  }
}
