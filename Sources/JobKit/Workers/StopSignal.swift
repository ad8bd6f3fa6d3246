internal import Dispatch
internal import Postgres
internal import Synchronization

/// What asks a part to stop: heard between two chunks, or, when it is urgent, in the middle of one.
public final class StopSignal: Sendable {
  private let reason = Mutex<Stopped?>(nil)
  let canceller: Canceller

  init(canceller: Canceller) {
    self.canceller = canceller
  }

  /// Asks the part to stop before its next chunk; what was asked first stands.
  func ask(_ why: Stopped) {
    reason.withLock { $0 = $0 ?? why }
  }

  /// Stops the part where it stands: its statement is cancelled, its chunk rolled back.
  func cut(_ why: Stopped) {
    ask(why)
    canceller.cancel()
  }

  /// Asks the part to stop after `soft`, and stops it where it stands after `hard`, unless it is over
  /// by then: nobody holds the signal of a part that is over.
  func limit(soft: Duration?, hard: Duration?) {
    for (limit, isHard) in [(soft, false), (hard, true)] {
      guard let limit else { continue }
      let nanoseconds = Int(min(limit / .nanoseconds(1), 3e17))
      Self.clock.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { @Sendable [weak self] in
        isHard ? self?.cut(.tookTooLong(limit)) : self?.ask(.tookTooLong(limit))
      }
    }
  }

  private static let clock = DispatchQueue(label: "time limits")

  /// Why the part has to stop, if it has to.
  var asked: Stopped? {
    reason.withLock { $0 }
  }

  /// Throws when the part has to stop.
  func check() throws(Stopped) {
    if let asked { throw asked }
  }
}

/// Why a part stopped before its end.
public enum Stopped: Error, Sendable, Equatable {
  /// The daemon ends: another goes on at the cursor.
  case drained

  /// Somebody asked for the end of the run.
  case cancelled

  /// The part belongs to another worker now.
  case fenceLost

  /// It took longer than it may.
  case tookTooLong(Duration)
}
