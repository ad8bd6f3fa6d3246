private import Glibc
private import Synchronization

/// A thread of its own for a part of a test, so that waiting holds up no other test.
public final class TestThread<Value: Sendable>: Sendable {
  private let outcome = Outcome<Value>()

  /// Starts `work`.
  public init(_ work: @escaping @Sendable () throws -> Value) {
    startThread { [outcome] in
      outcome.end(with: Result(catching: work))
    }
  }

  /// What `work` returned or threw; throws when it is not done within `limit`.
  public func value(within limit: Duration = .hang) throws -> Value {
    guard let result = outcome.result(within: limit) else { throw TooLate(limit: limit) }
    return try result.get()
  }
}

extension Duration {
  /// How long a test waits for what must come.
  ///
  /// It is there to end a hang: no machine is so busy that what does come takes as long. Whether something is
  /// quick is no question for a test, which runs beside many others: it counts pages, statements or rows.
  public static let hang: Duration = .seconds(300)
}

/// Something did not happen in the time a test gives it.
public struct TooLate: Error, CustomStringConvertible {
  let limit: Duration

  public var description: String { "not done within \(limit)" }
}

/// Waits until `condition` holds; throws when it does not within `limit`.
///
/// What is waited for happens in another process or session, which cannot tell this one, and each look takes a
/// processor from it: so between two looks goes by a sixteenth of what has been waited.
public func eventually(
  within limit: Duration = .hang, _ condition: () throws -> Bool
) throws {
  let began = ContinuousClock.now
  while try !condition() {
    let waited = ContinuousClock.now - began
    guard waited < limit else { throw TooLate(limit: limit) }
    pause(for: min(max(waited / 16, .milliseconds(2)), .milliseconds(50)))
  }
}

/// Lets others have the processor for less than a second.
private func pause(for duration: Duration) {
  usleep(UInt32(duration / .microseconds(1)))
}

/// The result of a thread, and the wait for it.
private final class Outcome<Value: Sendable>: Sendable {
  private let value = Mutex<Result<Value, any Error>?>(nil)

  /// Asked again and again, where asking the lock would make the other thread wait for it.
  private let isThere = Atomic(false)

  func end(with result: Result<Value, any Error>) {
    value.withLock { $0 = result }
    isThere.store(true, ordering: .releasing)
  }

  func result(within limit: Duration) -> Result<Value, any Error>? {
    try? eventually(within: limit) { isThere.load(ordering: .acquiring) }
    return value.withLock { $0 }
  }
}

/// Runs `work` on a thread of its own, for tests that mostly wait: the threads that run tests are as few
/// as processors, and are not kept waiting.
public func onOwnThread<Value: Sendable>(
  _ work: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    startThread { continuation.resume(with: Result { try work() }) }
  }
}

/// Runs `work` on a detached thread.
func startThread(_ work: @escaping @Sendable () -> Void) {
  let box = unsafe Unmanaged.passRetained(Work(work))
  var attributes = pthread_attr_t()
  unsafe pthread_attr_init(&attributes)
  unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
  var thread = pthread_t()
  let status = unsafe pthread_create(
    &thread, &attributes,
    { argument in
      guard let argument = unsafe argument else { return nil }
      unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
      return nil
    }, box.toOpaque())
  unsafe pthread_attr_destroy(&attributes)
  precondition(status == 0, "a test needs a thread")
}

private final class Work: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) {
    self.run = run
  }
}
