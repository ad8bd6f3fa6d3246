private import Glibc

/// One call over HTTP to a server of this machine: bytes there, and bytes back.
public enum HttpCall {
  /// Everything that is answered to `text` on a port of 127.0.0.1, until the server closes.
  public static func send(_ text: String, toPort port: Int) throws -> String {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return try send(
      text, family: AF_INET, to: unsafe withUnsafeBytes(of: address) { unsafe Array($0) })
  }

  /// The same on a unix socket.
  public static func send(_ text: String, toSocket path: String) throws -> String {
    let family = unsafe withUnsafeBytes(of: sa_family_t(AF_UNIX)) { unsafe Array($0) }
    return try send(text, family: AF_UNIX, to: family + Array(path.utf8) + [0])
  }

  /// The request for `path` by itself.
  public static func request(
    _ path: String, by method: String = "GET", _ headers: String = ""
  ) -> String {
    "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(headers)\r\n"
  }

  private static func send(
    _ text: String, family: Int32, to address: [UInt8]
  ) throws -> String {
    let descriptor = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    let status = unsafe address.withUnsafeBytes { raw in
      unsafe raw.assumingMemoryBound(to: sockaddr.self).baseAddress.map {
        unsafe connect(descriptor, $0, socklen_t(raw.count))
      } ?? -1
    }
    guard status == 0 else { throw NobodyListens() }
    let bytes = Array(text.utf8)
    _ = unsafe bytes.withUnsafeBytes {
      unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    var answer = [UInt8]()
    var piece = [UInt8](repeating: 0, count: 65_536)
    while case let count = unsafe recv(descriptor, &piece, piece.count, 0), count > 0 {
      answer += piece[..<count]
    }
    return String(decoding: answer, as: UTF8.self)
  }
}

/// A server that a test called and that is not there.
public struct NobodyListens: Error {}
