internal import Glibc
internal import JobKit
internal import Settings

/// Asks a daemon over HTTP.
enum HttpProbe {
  /// What it said: a status, and a text.
  struct Answer {
    let status: Int
    let body: String
  }

  /// Why nobody answered.
  struct Silence: Error {
    let reason: String
  }

  /// The answer to one GET; a daemon that does not answer within so many seconds is silent.
  static func get(
    _ path: String, from address: HttpAddress, as type: String, within seconds: Int = 5
  ) throws(Silence) -> Answer {
    do throws(LocalSocket.Failure) {
      let socket = try LocalSocket.connected(to: address.fromHere, within: seconds)
      defer { close(socket) }
      let request = "GET \(path) HTTP/1.0\r\nHost: localhost\r\nAccept: \(type)\r\n\r\n"
      try send(request, on: socket)
      guard let answer = Answer(try receive(on: socket)) else {
        throw LocalSocket.Failure(code: EPROTO)
      }
      return answer
    } catch {
      throw Silence(reason: reason(of: error, from: address))
    }
  }

  private static func reason(
    of failure: LocalSocket.Failure, from address: HttpAddress
  ) -> String {
    switch failure.code {
    case EAGAIN: "it takes too long"
    case ECONNRESET, EPIPE, EPROTO:
      address.isForOthers
        ? "it closes the connection: 'http.allow' of that daemon has to name this machine's address"
        : failure.description
    default: failure.description
    }
  }

  private static func send(_ text: String, on socket: Int32) throws(LocalSocket.Failure) {
    let bytes = Array(text.utf8)
    let count = unsafe bytes.withUnsafeBytes {
      unsafe Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    guard count == bytes.count else { throw LocalSocket.Failure(code: errno) }
  }

  private static func receive(on socket: Int32) throws(LocalSocket.Failure) -> String {
    var text: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 16_384)
    while text.count < mostBytes {
      let count = unsafe recv(socket, &piece, piece.count, 0)
      guard count >= 0 else { throw LocalSocket.Failure(code: errno) }
      guard count > 0 else { break }
      text += piece[..<count]
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static let mostBytes = 4 << 20
}

extension HttpProbe.Answer {
  /// Reads an answer of HTTP; nothing when it is none.
  fileprivate init?(_ text: String) {
    guard let end = text.firstRange(of: "\r\n\r\n"), text.hasPrefix("HTTP/1."),
      let status = text.split(separator: " ", maxSplits: 2).dropFirst().first.flatMap({ Int($0) })
    else { return nil }
    self.status = status
    body = String(text[end.upperBound...])
  }
}
