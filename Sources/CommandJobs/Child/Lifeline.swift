internal import CWorker
internal import Glibc
internal import JobKit
internal import Synchronization

/// The end of a pipe on which the life of a program hangs: its guard kills it when this is closed, as it is when this
/// process dies, or when nothing has been heard for as long as a lease.
final class Lifeline: Sendable {
  private let pipe: Mutex<Int32?>

  /// How long a program has between SIGTERM and SIGKILL.
  private let patience: Duration

  init(_ pipe: Int32, patience: Duration) {
    self.pipe = Mutex(pipe)
    self.patience = patience
  }

  deinit { cut() }

  /// Kills the program, unless it has ended.
  func cut() {
    let file = pipe.withLock { pipe in
      defer { pipe = nil }
      return pipe
    }
    if let file { close(file) }
  }

  /// Passes on to the guard what the part is told.
  func pass(_ signal: PartSignal) {
    switch signal {
    case .held(let end): order(Self.deadline(before: end))
    // Until the drain's time is over it may come to its end.
    case .asked(.drained): break
    case .asked, .cut(.cancelled): end(within: patience)
    case .cut(.drained): end(within: min(patience, Self.leftByDrain))
    case .cut: end(within: .zero)
    }
  }

  /// The daemon waits for five seconds before it ends.
  private static let leftByDrain = Duration.seconds(3)

  private func end(within patience: Duration) {
    order(-Int64(patience / .microseconds(1)))
  }

  private func order(_ order: Int64) {
    pipe.withLock { pipe in
      guard let pipe else { return }
      // Where the guard is gone there is nothing to be said.
      unsafe Swift.withUnsafeBytes(of: order) { bytes in
        _ = unsafe send(pipe, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
      }
    }
  }

  /// When the guard has to have killed the program so that it is dead when the lease is over, as the guard counts.
  static func deadline(before end: ContinuousClock.Instant) -> Int64 {
    let left = end - ContinuousClock.now
    let usable = left - min(.seconds(1), left / 8)
    return max(1, boot_microseconds() + Int64(usable / .microseconds(1)))
  }
}
