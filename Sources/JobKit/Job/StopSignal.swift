internal import Dispatch
package import Postgres
internal import Synchronization

/// What asks a part to stop: heard between two chunks, or, when it is urgent, in the middle of one.
public final class StopSignal: Sendable {
  private struct State {
    var asked: Stopped?
    var isCut = false
    var canceller: Canceller?
    var timers: [any DispatchSourceTimer] = []
    var leaseEnd: ContinuousClock.Instant?
    var listener: (@Sendable (PartSignal) -> Void)?
  }

  private let state = Mutex(State())

  package init() {}

  deinit {
    letGo()
  }

  /// What ends the statements of the part; made when the part begins, which is when this is asked for.
  ///
  /// Each takes a descriptor, and a batch may have more parts than a process has descriptors.
  package var canceller: Canceller {
    let (canceller, isCut) = state.withLock { state in
      let canceller = state.canceller ?? Canceller()
      state.canceller = canceller
      return (canceller, state.isCut)
    }
    if isCut { canceller.cancel() }
    return canceller
  }

  /// Asks the part to stop before its next chunk; what was asked first stands.
  package func ask(_ why: Stopped) {
    let listener = state.withLock { state in
      state.asked = state.asked ?? why
      return state.listener
    }
    listener?(.asked(why))
  }

  /// Stops the part where it stands: its statement is cancelled, its chunk rolled back.
  package func cut(_ why: Stopped) {
    ask(why)
    let (canceller, listener) = state.withLock { state in
      state.isCut = true
      return (state.canceller, state.listener)
    }
    canceller?.cancel()
    listener?(.cut(why))
  }

  /// Tells until when no other worker can be given the part.
  package func hold(until end: ContinuousClock.Instant) {
    let listener = state.withLock { state in
      state.leaseEnd = end
      return state.listener
    }
    listener?(.held(until: end))
  }

  /// Until when no other worker can be given the part; nothing where no worker has it.
  package var leaseEnd: ContinuousClock.Instant? { state.withLock(\.leaseEnd) }

  /// Tells `listener` what is asked of the part from here on, on the thread of whoever asks, and at once what was
  /// asked before; nil for nobody.
  package func hear(_ listener: (@Sendable (PartSignal) -> Void)?) {
    let (end, asked, isCut) = state.withLock { state in
      state.listener = listener
      return (state.leaseEnd, state.asked, state.isCut)
    }
    guard let listener else { return }
    if let end { listener(.held(until: end)) }
    if let asked { listener(isCut ? .cut(asked) : .asked(asked)) }
  }

  /// Asks the part to stop after `soft`, and stops it where it stands after `hard`, unless it is over
  /// by then.
  package func limit(soft: Duration?, hard: Duration?) {
    if let soft { after(soft) { $0.ask(.tookTooLong(soft)) } }
    if let hard { after(hard) { $0.cut(.tookTooLong(hard)) } }
  }

  private func after(_ limit: Duration, _ stop: @escaping @Sendable (StopSignal) -> Void) {
    let nanoseconds = Int(min(limit / .nanoseconds(1), 3e17))
    state.withLock { state in
      let timer = DispatchSource.makeTimerSource(queue: Self.clock)
      timer.setEventHandler { @Sendable [weak self] in
        guard let self else { return }
        stop(self)
      }
      timer.schedule(deadline: .now() + .nanoseconds(nanoseconds))
      timer.activate()
      state.timers.append(timer)
    }
  }

  private static let clock = DispatchQueue(label: "time limits")

  /// Gives back what only a part that goes on needs, its limits and the descriptor of its canceller: the
  /// signal itself is held until its whole batch is over.
  package func letGo() {
    state.withLock { state in
      for timer in state.timers { timer.cancel() }
      state.timers = []
      state.canceller = nil
    }
  }

  /// Why the part has to stop, if it has to.
  package var asked: Stopped? {
    state.withLock { $0.asked }
  }

  /// Throws when the part has to stop.
  package func check() throws(Stopped) {
    if let asked { throw asked }
  }
}

/// What a part is told while it is at work.
package enum PartSignal: Sendable, Equatable {
  /// No other worker can be given the part before then.
  case held(until: ContinuousClock.Instant)

  /// It should stop where it can.
  case asked(Stopped)

  /// It must stop where it stands.
  case cut(Stopped)
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
