internal import Dispatch
internal import Glibc

/// The signals that this process answers, heard on a queue of their own: a hung loop cannot keep it
/// from being told to end.
final class Signals: Sendable {
  private let queue = DispatchQueue(label: "signals")

  /// Calls `answer` for each of `signals`, for as long as the process lives.
  func hear(_ signals: [Int32], _ answer: @escaping @Sendable (Int32) -> Void) {
    for number in signals {
      // What the system does by default with the signal must not come first.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { @Sendable in answer(number) }
      source.activate()
      // A source that nobody holds is cancelled; this one lives as long as the process.
      _ = unsafe Unmanaged.passRetained(source as AnyObject)
    }
  }

  /// Makes a receiver that hangs up, or a reader of output or log that is gone, an error of that call alone.
  static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }
}
