/// The URL of a receiver of messages; it may be a secret, so only its host is ever shown.
public struct WebAddress: Sendable, Hashable {
  /// The whole URL, for the request alone.
  public let url: String

  /// The host, and the port where one is written: what may be shown.
  public let host: String

  private let scheme: String

  /// An address that can be sent to: over TLS, or to this machine.
  ///
  /// Anything else is none: what is written about failures is not for everybody on the way.
  public init?(_ text: String) {
    let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    guard isPlain, text.utf8.count <= 2000, let scheme = text.firstRange(of: "://") else {
      return nil
    }
    let authority = text[scheme.upperBound...].prefix { !"/?#".contains($0) }
    guard let host = authority.split(separator: "@", omittingEmptySubsequences: false).last,
      let first = host.first, first != ":"
    else { return nil }
    self.scheme = text[..<scheme.lowerBound].lowercased()
    switch self.scheme {
    case "https": break
    case "http" where Self.isThisMachine(host): break
    default: return nil
    }
    (url, self.host) = (text, String(host))
  }

  private static func isThisMachine(_ host: Substring) -> Bool {
    ["localhost", "127.0.0.1", "[::1]"].contains { host == $0 || host.hasPrefix("\($0):") }
  }
}

extension WebAddress: CustomStringConvertible {
  public var description: String { "\(scheme)://\(host)/…" }
}
