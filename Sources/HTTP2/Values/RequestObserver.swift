/// Who keeps a journal of what leaves; called on the thread of a connection, and never for one request at once.
public protocol RequestObserver: Sendable {
  /// The request's headers are made into bytes next: from here on the server may have it.
  func leaves(_ id: UInt64)

  /// The server certainly did not work on it, and it waits for another connection.
  func returns(_ id: UInt64)

  /// It has ended; nothing more is said of it.
  func ended(_ id: UInt64, with end: End)
}
