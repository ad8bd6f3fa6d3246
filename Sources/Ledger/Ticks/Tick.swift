internal import JobKit
public import LocalTime

/// What was decided of one moment of a schedule, or of a row of moments that collapsed.
public struct Tick: Sendable, Equatable {
  public let scheduledFor: Instant
  public let fate: Fate

  package init(scheduledFor: Instant, fate: Fate) {
    self.scheduledFor = scheduledFor
    self.fate = fate
  }

  /// What becomes of a tick.
  public enum Fate: Sendable, Equatable {
    case due
    case notRun(Cause)
    case collapsed(from: Instant, count: Int, Cause)

    /// Why it does not run; nothing when it does.
    package var cause: Cause? {
      switch self {
      case .due: nil
      case .notRun(let cause), .collapsed(_, _, let cause): cause
      }
    }
  }

  /// Why a tick does not run.
  public enum Cause: Sendable, Equatable {
    case skipped(SkipReason)
    case missed(MissReason)

    /// What became of the tick in one word; also of each tick that collapsed into a row.
    package var state: RunState {
      switch self {
      case .skipped: .skipped
      case .missed: .missed
      }
    }

    /// Whether somebody wants it not to run: by a pause, a calendar, the settings.
    package var isOrdered: Bool {
      if case .skipped(let reason) = self { reason.isOrdered } else { false }
    }
  }
}

extension Tick.Fate: CustomStringConvertible {
  /// What became of the tick, in the words of the ledger.
  public var description: String {
    switch self {
    case .due: "due"
    case .notRun(let cause): "\(cause)"
    case .collapsed(let first, let count, let cause):
      "\(count.counted("tick")) since \(first) \(cause)"
    }
  }
}

extension Tick.Cause: CustomStringConvertible {
  public var description: String { "\(state): \(reason)" }

  /// The reason alone.
  var reason: String {
    switch self {
    case .skipped(let reason): "\(reason)"
    case .missed(let reason): "\(reason)"
    }
  }
}
