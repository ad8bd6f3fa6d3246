/// Where this machine, and nobody else, may ask a daemon how it is.
public enum HttpAddress: Sendable, Hashable {
  case ipv4(port: UInt16)
  case ipv6(port: UInt16)
  /// The path of a unix socket.
  case unix(String)

  /// Reads "127.0.0.1:9464", "[::1]:9464" or "unix:/run/worker/http.sock"; every other address is one
  /// that others could reach.
  public init?(_ text: String) {
    if let path = text.dropping("unix:") {
      guard path.hasPrefix("/"), (2...107).contains(path.utf8.count),
        !path.unicodeScalars.contains("\0")
      else { return nil }
      self = .unix(path)
    } else if let port = text.dropping("127.0.0.1:").flatMap(Self.port) {
      self = .ipv4(port: port)
    } else if let port = text.dropping("[::1]:").flatMap(Self.port) {
      self = .ipv6(port: port)
    } else {
      return nil
    }
  }

  private static func port(_ text: String) -> UInt16? {
    guard text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else { return nil }
    return UInt16(text).flatMap { $0 > 0 ? $0 : nil }
  }
}

extension HttpAddress: CustomStringConvertible {
  public var description: String {
    switch self {
    case .ipv4(let port): "127.0.0.1:\(port)"
    case .ipv6(let port): "[::1]:\(port)"
    case .unix(let path): "unix:\(path)"
    }
  }
}

extension String {
  fileprivate func dropping(_ prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}
