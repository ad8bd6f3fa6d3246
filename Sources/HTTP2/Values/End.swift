/// What became of a request: exactly one of these.
public enum End: Sendable, Equatable {
  /// The server answered, whatever it said.
  case answered(Answer)

  /// The server has certainly not worked on it: it may be sent again.
  case notSent(NotSent)

  /// It left, and nobody knows what became of it: it is never sent again.
  case uncertain(Uncertain)
}

/// Why a request was certainly not worked on.
public enum NotSent: Error, Sendable, Equatable {
  /// No connection could be made.
  case unconnected(ConnectFailure)

  /// The server refused it on each connection that it was tried on, as HTTP/2 lets it.
  case refused

  /// No connection had room for it in time.
  case noStream

  /// The pool has as many in hand as its window allows.
  case windowFull

  /// The pool takes no more: the program ends.
  case draining

  /// Its headers cannot be sent: they are too many or too long.
  case unusable
}

/// Why it is not known what became of a request.
public enum Uncertain: Sendable, Equatable {
  /// No answer came in time.
  case timeout

  /// The server broke it off with this code of HTTP/2.
  case reset(ErrorCode)

  /// The connection ended first.
  case lost(Closing)
}

extension NotSent: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unconnected(let failure): failure.description
    case .refused: "the server refused the stream on each connection it was tried on"
    case .noStream: "no connection had room for the request in time"
    case .windowFull: "as many requests are in hand as the window allows"
    case .draining: "the program is ending and sends nothing more"
    case .unusable: "the request's headers cannot be sent: they are too many or too long"
    }
  }
}

extension Uncertain: CustomStringConvertible {
  public var description: String {
    switch self {
    case .timeout: "no answer came in time"
    case .reset(let code): "the server broke the request off: \(code)"
    case .lost(let closing): "the connection ended before an answer: \(closing)"
    }
  }
}
