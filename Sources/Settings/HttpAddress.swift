public import Web

/// Where a daemon is asked how it is.
public enum HttpAddress: Sendable, Hashable {
  case tcp(NetworkAddress, port: UInt16)
  /// The path of a unix socket.
  case unix(String)

  /// Reads "127.0.0.1:9464", "[::1]:9464" or "unix:/run/worker/http.sock"; the address of a port is written as a
  /// number, since a name may come to mean another machine.
  public init?(_ text: String) {
    if let path = text.dropping("unix:") {
      guard path.hasPrefix("/"), (2...107).contains(path.utf8.count),
        !path.unicodeScalars.contains("\0")
      else { return nil }
      self = .unix(path)
      return
    }
    guard let colon = text.lastIndex(of: ":"),
      let port = Self.port(text[text.index(after: colon)...]),
      let host = Self.host(text[..<colon])
    else { return nil }
    self = .tcp(host, port: port)
  }

  /// The address that stands before a port or in the header `Host`: one of IPv6 has brackets.
  public static func host(_ text: some StringProtocol) -> NetworkAddress? {
    if text.hasPrefix("["), text.hasSuffix("]") {
      guard let address = NetworkAddress(text.dropFirst().dropLast()), address.bytes.count == 16,
        address.mapped == nil
      else { return nil }
      return address
    }
    return NetworkAddress(text).flatMap { $0.bytes.count == 4 ? $0 : nil }
  }

  private static func port(_ text: Substring) -> UInt16? {
    guard text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else { return nil }
    return UInt16(text).flatMap { $0 > 0 ? $0 : nil }
  }
}

extension HttpAddress {
  /// Whether other machines can reach it.
  public var isForOthers: Bool {
    guard case .tcp(let host, _) = self else { return false }
    return !host.isLoopback
  }

  /// Where this machine asks a daemon that listens there: one that listens at all addresses does at the loopback one.
  public var fromHere: HttpAddress {
    guard case .tcp(let host, let port) = self, host.bytes.allSatisfy({ $0 == 0 }) else {
      return self
    }
    return .tcp(host.bytes.count == 4 ? .loopback4 : .loopback6, port: port)
  }
}

extension HttpAddress: CustomStringConvertible {
  public var description: String {
    switch self {
    case .tcp(let host, let port) where host.bytes.count == 4: "\(host):\(port)"
    case .tcp(let host, let port): "[\(host)]:\(port)"
    case .unix(let path): "unix:\(path)"
    }
  }
}

extension String {
  fileprivate func dropping(_ prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}
