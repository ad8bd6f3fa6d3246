internal import COpenSSL
internal import Glibc

/// A connection under TLS, whose server has shown a certificate of its name and speaks HTTP/2.
@safe final class TLSConnection {
  let socket: Int32
  private let stream: OpaquePointer

  /// Whether the last attempt waits until the socket can be written, although it wanted to read, or the other way.
  private(set) var wantsToWrite = false

  /// Begins TLS on a connected socket, which belongs to the connection from here on.
  init(over socket: Int32, to origin: Origin) throws(ConnectFailure) {
    self.socket = socket
    guard tls_is_there() == 1 else { throw Self.give(up: socket, .noTLS) }
    let opened = unsafe origin.authorities.map { unsafe tls_trust_open($0) } ?? tls_trust_open(nil)
    guard let trust = unsafe opened else {
      throw Self.give(up: socket, .unreadableAuthorities(origin.authorities ?? "this machine"))
    }
    defer { unsafe tls_trust_close(trust) }
    guard let stream = unsafe tls_open(trust, socket, origin.host) else {
      throw Self.give(up: socket, .untrusted("no memory"))
    }
    unsafe self.stream = stream
  }

  private static func give(up socket: Int32, _ failure: ConnectFailure) -> ConnectFailure {
    close(socket)
    return failure
  }

  deinit {
    unsafe tls_close(stream)
    close(socket)
  }

  enum Progress {
    case done
    case waits
    case ended
    case failed(String)
  }

  func shakeHands() -> Progress {
    unsafe progress(tls_shake_hands(stream))
  }

  var speaksHTTP2: Bool {
    unsafe tls_speaks_http2(stream) == 1
  }

  /// Reads what is there into `buffer`; returns how many bytes, and how it went on from there.
  func read(into buffer: inout [UInt8]) -> (count: Int, Progress) {
    var count = 0
    let room = buffer.count
    let outcome = unsafe buffer.withUnsafeMutableBufferPointer { bytes in
      unsafe tls_read(stream, bytes.baseAddress, room, &count)
    }
    return (count, progress(outcome))
  }

  /// Writes some of the bytes; returns how many.
  func write(_ bytes: ArraySlice<UInt8>) -> (count: Int, Progress) {
    var count = 0
    let outcome = unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe tls_write(stream, bytes.baseAddress, bytes.count, &count)
    }
    return (count, progress(outcome))
  }

  func sayEnd() {
    unsafe tls_say_end(stream)
  }

  private func progress(_ outcome: tls_outcome) -> Progress {
    wantsToWrite = outcome == tls_wants_to_write
    switch outcome {
    case tls_done: return .done
    case tls_wants_to_read, tls_wants_to_write: return .waits
    case tls_ended: return .ended
    default: return unsafe .failed(String(cString: tls_words(stream)))
    }
  }
}
