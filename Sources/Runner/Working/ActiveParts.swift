public import JobKit
internal import Ledger
internal import Synchronization

/// The parts that this process holds: what heartbeats extend, and what can be asked to stop.
public final class ActiveParts: Sendable {
  private struct State {
    var parts: [Fence: StopSignal] = [:]

    /// What was asked of all: a part that is claimed at that very moment is asked too.
    var asked: Stopped?
  }

  private let state = Mutex(State())

  public init() {}

  package func add(_ fence: Fence, stop: StopSignal) {
    let (former, asked) = state.withLock { state in
      (state.parts.updateValue(stop, forKey: fence), state.asked)
    }
    // A server that has forgotten a claim gives the part again, under the same number: here to another
    // worker of the same process.
    former?.cut(.fenceLost)
    if let asked { stop.ask(asked) }
  }

  /// Lets go of a part, unless another worker of this process was given it since.
  package func remove(_ fence: Fence, stop: StopSignal) {
    state.withLock { state in
      if state.parts[fence] === stop { state.parts[fence] = nil }
    }
  }

  public var isEmpty: Bool { state.withLock(\.parts.isEmpty) }

  package var fences: [Fence] { state.withLock { Array($0.parts.keys) } }

  /// Tells each part what a heartbeat found out about it, whose lease ends at `end` by this host's clock.
  func apply(_ pulse: Ledger.Pulse, of asked: [Fence], leaseEnd end: ContinuousClock.Instant) {
    let parts = state.withLock(\.parts)
    for fence in asked {
      guard pulse.held.contains(fence) else {
        parts[fence]?.cut(.fenceLost)
        continue
      }
      if !pulse.unextended.contains(fence) { parts[fence]?.hold(until: end) }
      if pulse.cancelled.contains(fence) { parts[fence]?.ask(.cancelled) }
    }
  }

  /// Asks every part to stop before its next chunk, and those that are still to come.
  public func ask(_ why: Stopped) {
    for stop in everyone(asked: why) { stop.ask(why) }
  }

  /// Stops every part where it stands.
  public func cut(_ why: Stopped) {
    for stop in everyone(asked: why) { stop.cut(why) }
  }

  private func everyone(asked why: Stopped) -> [StopSignal] {
    state.withLock { state in
      state.asked = why
      return Array(state.parts.values)
    }
  }
}
