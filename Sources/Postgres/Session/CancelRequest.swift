internal import CPostgres
internal import Synchronization

/// The request that asks Postgres to end what a session runs, ready to be sent from another thread.
final class CancelRequest: Sendable {
  private let handle: Mutex<Handle?>

  /// Copies all that a request needs: it shares nothing with `session`, which may end before it.
  @unsafe init?(of session: OpaquePointer) {
    // An address alone tells the compiler what libpq promises: that this is a thing of its own.
    let address = unsafe UInt(bitPattern: PQgetCancel(session))
    guard let handle = Handle(takingOver: address) else { return nil }
    self.handle = Mutex(handle)
  }

  /// Sends the request and waits until Postgres has passed it on; that can last when it hangs.
  func send() {
    guard let handle = handle.withLock({ $0.take() }) else { return }
    handle.send()
  }

  /// The owner of libpq's request.
  @safe struct Handle: ~Copyable {
    private let pointer: OpaquePointer

    init?(takingOver address: UInt) {
      guard let pointer = unsafe OpaquePointer(bitPattern: address) else { return nil }
      unsafe self.pointer = pointer
    }

    deinit {
      unsafe PQfreeCancel(pointer)
    }

    borrowing func send() {
      unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { reason in
        _ = unsafe PQcancel(pointer, reason.baseAddress, Int32(reason.count))
      }
    }
  }
}
