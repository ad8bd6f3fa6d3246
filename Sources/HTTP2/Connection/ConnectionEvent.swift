/// What a connection hears.
enum ConnectionEvent: Equatable {
  /// The server's settings, which allow that many streams.
  case settings(streams: Int)
  case status(Int, stream: Int32)
  case header(HeaderField, stream: Int32)
  case body([UInt8], stream: Int32)
  case whole(stream: Int32)
  case streamEnded(stream: Int32, ErrorCode)

  /// A request is made into bytes next.
  case leaving(stream: Int32)

  /// A request could not be made into bytes.
  case kept(stream: Int32)

  /// The rest of a body that waited is made into bytes.
  case bodyLeft(stream: Int32)

  /// A request was made into bytes, and none of them is written, nor will be.
  case unwritten(stream: Int32)
  case goAway(last: Int32, ErrorCode, reason: String)
  case pong

  /// The socket is of no more use.
  case lost(Closing)

  /// Time has gone by.
  case tick

  /// The pool wants it to take nothing more and to end when all have their answers, or at that moment.
  case retire(Closing, at: Instant)

  /// Whether it shows that the server is alive.
  var isFromServer: Bool {
    switch self {
    case .leaving, .kept, .bodyLeft, .unwritten, .lost, .tick, .retire: false
    default: true
    }
  }
}
