internal import Synchronization

/// The parts that this process holds: what heartbeats extend, and what can be asked to stop.
public final class Holdings: Sendable {
  private let parts = Mutex<[Fence: StopSignal]>([:])

  public init() {}

  func add(_ fence: Fence, stop: StopSignal) {
    parts.withLock { $0[fence] = stop }
  }

  func remove(_ fence: Fence) {
    parts.withLock { $0[fence] = nil }
  }

  public var isEmpty: Bool { parts.withLock(\.isEmpty) }

  var fences: [Fence] { parts.withLock { Array($0.keys) } }

  /// Tells each part what a heartbeat found out about it.
  func hear(_ pulse: Ledger.Pulse, of asked: [Fence]) {
    let parts = parts.withLock(\.self)
    for fence in asked {
      if !pulse.held.contains(fence) {
        parts[fence]?.cut(.fenceLost)
      } else if pulse.cancelled.contains(fence) {
        parts[fence]?.ask(.cancelled)
      }
    }
  }

  /// Asks every part to stop before its next chunk.
  public func ask(_ why: Stopped) {
    for stop in parts.withLock({ Array($0.values) }) { stop.ask(why) }
  }

  /// Stops every part where it stands.
  public func cut(_ why: Stopped) {
    for stop in parts.withLock({ Array($0.values) }) { stop.cut(why) }
  }
}
