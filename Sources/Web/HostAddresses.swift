internal import Glibc

/// The addresses of a name, as this machine's name service tells them.
public enum HostAddresses {
  /// The addresses of `host`, four bytes or sixteen each; none when it has none or nobody answers.
  ///
  /// The name service decides how long that takes.
  public static func find(_ host: String) -> [[UInt8]] {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
    defer { unsafe freeaddrinfo(list) }
    var addresses: [[UInt8]] = []
    var next = unsafe list
    while let entry = unsafe next?.pointee {
      if let address = unsafe bytes(of: entry), !addresses.contains(address) {
        addresses.append(address)
      }
      unsafe next = entry.ai_next
    }
    return addresses
  }

  private static func bytes(of entry: addrinfo) -> [UInt8]? {
    guard let address = unsafe UnsafeRawPointer(entry.ai_addr) else { return nil }
    switch unsafe entry.ai_family {
    case AF_INET:
      var four = unsafe address.loadUnaligned(as: sockaddr_in.self).sin_addr
      return unsafe withUnsafeBytes(of: &four) { unsafe Array($0) }
    case AF_INET6:
      var sixteen = unsafe address.loadUnaligned(as: sockaddr_in6.self).sin6_addr
      return unsafe withUnsafeBytes(of: &sixteen) { unsafe Array($0) }
    default: return nil
    }
  }
}
