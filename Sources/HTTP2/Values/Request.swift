/// A POST to the server of a pool, sent at most once as far as the server is known to have taken it.
public struct Request: Sendable, Equatable, Identifiable {
  /// What its sender knows it by.
  public let id: UInt64

  public let path: String
  public let headers: [HeaderField]
  public let body: [UInt8]

  /// Which of the sender's tokens it carries, counted up with each new one.
  ///
  /// A connection shows a server a new token in one request first, and in others when that was accepted.
  public let token: Int

  /// Until when it may be given to a connection, and the rest of its body leave, however long the process stands still;
  /// nil: as long as the pool's policy lets it wait.
  public let end: Instant?

  /// A request whose path no other request is likely to have: it stays out of the compressor's table.
  public init(
    id: UInt64, path: String, headers: [HeaderField], body: [UInt8], token: Int = 0,
    until end: Instant? = nil
  ) {
    (self.id, self.path, self.headers, self.body) = (id, path, headers, body)
    self.token = token
    self.end = end
  }
}

/// What authorizes it is among its headers, so it is not shown.
extension Request: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "request \(id) with a body of \(body.count) bytes" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
