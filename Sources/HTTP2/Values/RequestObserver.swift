/// Who keeps a journal of what leaves; called on the thread of a connection, and never for one request at once.
public protocol RequestObserver: Sendable {
  /// The bytes of these requests are written next, in one call, if they may: from here on the server may have them.
  ///
  /// Returns what `mayLeave` says, which is asked when all that takes time is done, and before the first of them is
  /// marked: a process may be frozen in between, and one that is killed between the first mark and the write leaves
  /// them uncertain in vain.
  func leave(_ ids: [UInt64], if mayLeave: () -> Bool) -> Bool

  /// The server certainly did not work on it, and it waits for another connection.
  func returns(_ id: UInt64)

  /// It has ended; nothing more is said of it.
  func ended(_ id: UInt64, with end: End)
}
