/// What a connection does next.
enum ConnectionAction: Equatable {
  /// The request is among the bytes that are written next: tells the keeper of the journal right before.
  case noteLeaving(stream: Int32)

  /// Breaks a stream off.
  case reset(stream: Int32, ErrorCode)
  case ping

  /// The server has answered a ping after that time.
  case measured(ping: Duration)

  /// The connection may be used.
  case opened

  /// The server answered a request: the connection is a good one.
  case proved

  /// The connection takes nothing more; another is wanted.
  case leave(Closing, reason: String)
  case end(stream: Int32, End)

  /// The server did not take the request: it may be tried on another connection.
  case giveBack(stream: Int32)

  /// Says goodbye when there is somebody to hear it, and closes.
  case close(Closing, saysGoAway: Bool)
}
