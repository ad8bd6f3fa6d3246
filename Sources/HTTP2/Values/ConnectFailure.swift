/// Why no connection was made.
public enum ConnectFailure: Error, Sendable, Hashable {
  case noTLS
  case noHTTP2
  case unreadableAuthorities(String)
  case unknownName(String)
  case unreachable(String)
  case untrusted(String)
  case otherProtocol
  case tooSlow
  case noSettings(String)
  case stopped

  /// Why a connection was of no use whose server had not sent its SETTINGS when it was closed.
  init(_ closing: Closing) {
    self =
      switch closing {
      case .silent: .tooSlow
      case .resting, .renewed, .drained: .stopped
      default: .noSettings(closing.description)
      }
  }

  /// The word by which failures are counted; there are as many as there are cases.
  public var reason: String {
    switch self {
    case .noTLS, .noHTTP2: "library"
    case .unreadableAuthorities, .untrusted: "tls"
    case .unknownName: "dns"
    case .unreachable: "connect"
    case .otherProtocol: "alpn"
    case .tooSlow: "timeout"
    case .noSettings: "settings"
    case .stopped: "stopped"
    }
  }
}

extension ConnectFailure: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noTLS: "OpenSSL is missing: install the package libssl3"
    case .noHTTP2: "nghttp2 is missing: install the package libnghttp2-14"
    case .unreadableAuthorities(let path): "cannot read certificates of authorities in '\(path)'"
    case .unknownName(let why): "cannot find the server's address: \(why)"
    case .unreachable(let why): "cannot connect to the server: \(why)"
    case .untrusted(let why): "TLS with the server failed: \(why)"
    case .otherProtocol: "the server does not speak HTTP/2"
    case .tooSlow: "the server took too long to connect"
    case .noSettings(let why): "the server ended the connection before its SETTINGS: \(why)"
    case .stopped: "the connection was no longer wanted"
    }
  }
}
