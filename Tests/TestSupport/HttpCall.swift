private import Glibc

/// One call over HTTP to a server of this machine: bytes there, and bytes back.
public enum HttpCall {
  /// Everything that is answered to `text` on a port of 127.0.0.1, until the server closes; the caller's address
  /// is 127.0.0.`caller`.
  public static func send(_ text: String, toPort port: Int, from caller: UInt8 = 1) throws -> String
  {
    try send(text, family: AF_INET, to: loopback(1, port: port), from: loopback(caller, port: 0))
  }

  private static func loopback(_ host: UInt8, port: Int) -> [UInt8] {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = (0x7f00_0000 | UInt32(host)).bigEndian
    return unsafe withUnsafeBytes(of: address) { unsafe Array($0) }
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
    _ text: String, family: Int32, to address: [UInt8], from caller: [UInt8]? = nil
  ) throws -> String {
    let descriptor = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    if let caller {
      guard unsafe call(caller, { unsafe bind(descriptor, $0, $1) }) == 0 else {
        throw NobodyListens()
      }
    }
    guard unsafe call(address, { unsafe connect(descriptor, $0, $1) }) == 0 else {
      throw NobodyListens()
    }
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

extension HttpCall {
  private static func call(
    _ address: [UInt8], _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    unsafe address.withUnsafeBytes { raw in
      unsafe raw.assumingMemoryBound(to: sockaddr.self).baseAddress.map {
        unsafe body($0, socklen_t(raw.count))
      } ?? -1
    }
  }
}

/// A server that a test called and that is not there.
public struct NobodyListens: Error {}
