internal import Dispatch
internal import Glibc

/// The signals that this process answers, heard on a queue of their own: a hung loop cannot keep it
/// from being told to end.
final class Signals: Sendable {
  private let queue = DispatchQueue(label: "signals")

  /// Calls `answer` for each of `signals`, for as long as the process lives.
  ///
  /// Returns once they are heard. Dispatch takes its time on a busy host, and until then they do what they do by
  /// default: ignored, a Ctrl-C of that moment would be lost.
  func hear(_ signals: [Int32], _ answer: @escaping @Sendable (Int32) -> Void) {
    for number in signals {
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { @Sendable in answer(number) }
      let isHeard = DispatchSemaphore(value: 0)
      source.setRegistrationHandler { @Sendable in isHeard.signal() }
      source.activate()
      isHeard.wait()
      // A source that nobody holds is cancelled; this one lives as long as the process.
      _ = unsafe Unmanaged.passRetained(source as AnyObject)
    }
  }

  /// Makes a receiver that hangs up, or a reader of output or log that is gone, an error of that call alone.
  static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }
}
